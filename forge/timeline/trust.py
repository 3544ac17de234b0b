"""Up to where a timeline shows states, and why not further: a refused event, or a log that is not trusted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..errors import InvalidValue
from ..history import History
from ..lines import ScanEnd
from ..wording import show

Trust = ScanEnd | Iterable[Any]
"""What `ChainLog.scan()` gives, or only its `ScanEnd`."""


class Stop(NamedTuple):
    """Why there is no state to show from event `number` on, counted from 1; the slider moves up to `end`."""

    number: int
    end: int
    mark: str
    title: str
    reason: str


def scan_end(trust: Trust | None) -> ScanEnd | None:
    """The end of a scan; a scan that has not been read yet is read to it."""
    if trust is None or isinstance(trust, ScanEnd):
        return trust
    found = deque(trust, maxlen=1) if isinstance(trust, Iterable) else ()
    last = found[0] if found else None
    if not isinstance(last, ScanEnd):
        raise InvalidValue(
            "trust was refused",
            f"expected what ChainLog.scan() gives, found {show(trust)}.",
            "A scan can be read once: make a new one.",
            path="trust",
            expected="a scan, or the ScanEnd that it ends with",
            found=show(trust),
        )
    return last


def stop_of(history: History[Any, Any], end: ScanEnd | None) -> Stop | None:
    """Where the states end before the history does, or behind its last event because the log goes on."""
    refused = None
    if history.refusal:
        number = history.refusal.number
        refused = Stop(number, number, "✗ refused", f"Event {number:,} was refused", history.refusal.reason)
    if end is None or end.error is None or end.count > history.last:
        return refused
    number = end.count + 1
    mark = "✗ torn record" if end.reason == "torn" else "✗ chain broken"
    return Stop(number, max(len(history), number), mark, f"Trust ends at record {number:,}", str(end.error))
