"""The timeline of a journal file: what `forge timeline` opens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from ..chain import parse
from ..errors import InvalidValue
from ..history import History
from ..log import ChainLog, ScanEnd
from ..state.marks import run_marks
from ..state.models import RunEvent, RunState, apply_event
from ..wording import show
from .timeline import Timeline

Tell = Callable[[str, int, int | None], object]
"""Told what is being done, and how much of how much of it is."""


def journal_timeline(path: str | PathLike[str], tell: Tell = lambda *_: None) -> Timeline:
    """The timeline of a journal, verified.

    Of a run's journal it shows the run's state, of any other how many events of each kind there are. Where
    the chain breaks, the events behind the break are listed as they stand, without a state. `InvalidValue`
    for a file that is no journal at all.
    """
    path = Path(path)
    log = ChainLog(path, progress=lambda done, total: tell("verifying", done, total))
    events: list[Mapping[str, Any]] = []
    end = None
    for found in log.scan():
        if isinstance(found, ScanEnd):
            end = found
        else:
            events.append(found.event)
    assert end is not None
    if end.error:
        behind = path.read_bytes()[end.offset :]
        if not events:
            _require_journal(behind, path)
        events += _as_they_stand(behind)
    tell("replaying", 0, None)
    if events and _is_run_event(events[0]):
        return Timeline(History(events, _apply_run_event, marks=run_marks), title=path.name, trust=end)
    counted = History(events, _count_kinds, describe=_kind)
    return Timeline(counted, title=f"{path.name}: events of each kind", trust=end)


def write_journal_page(path: Path, to: Path, tell: Tell = lambda *_: None) -> Timeline:
    """Write a journal's timeline as one HTML file `to`, and return the timeline."""
    if to.exists() and to.samefile(path):
        raise InvalidValue("--html was refused", f"{to.name} is the journal itself.", "Name another file.")
    timeline = journal_timeline(path, tell)
    timeline.to_html(to, progress=lambda done, total: tell("writing", done, total))
    return timeline


def _require_journal(data: bytes, path: Path) -> None:
    line = data.split(b"\n", 1)[0]
    record = b'{"event":'
    if (line.lstrip().startswith(b"{") and b'"event"' in line) or record.startswith(data):
        return
    raise InvalidValue(
        "this is not a journal",
        f"{path.name} begins with {show(line[:40].decode('utf-8', 'replace'))}, expected a record.",
        'Name a file of records, one a line: {"event":…,"previous_hash":…,"record_hash":…}.',
        path=str(path),
    )


def _as_they_stand(data: bytes) -> Iterator[Mapping[str, Any]]:
    """What lines that cannot be trusted say, each as an event."""
    for line in data.removesuffix(b"\n").split(b"\n"):
        try:
            event = parse(line)["event"]
        except (InvalidValue, KeyError, TypeError, IndexError):
            event = None
        text = line[:200].decode("utf-8", "replace")
        yield event if isinstance(event, Mapping) else {"kind": "unreadable line", "text": text}


def _is_run_event(event: Mapping[str, Any]) -> bool:
    try:
        RunEvent.model_validate(event)
    except InvalidValue:
        return False
    return True


def _apply_run_event(state: RunState | None, event: Mapping[str, Any]) -> RunState:
    return apply_event(state, RunEvent.model_validate(event))


def _kind(event: Mapping[str, Any]) -> str:
    kind = event.get("kind", event.get("type"))
    return kind if isinstance(kind, str) else "event"


def _count_kinds(state: Mapping[str, int] | None, event: Mapping[str, Any]) -> dict[str, int]:
    counts = dict(state or {})
    counts[_kind(event)] = counts.get(_kind(event), 0) + 1
    return counts
