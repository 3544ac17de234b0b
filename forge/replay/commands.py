"""What `forge replay` and `forge journal` do; each gives the lines to print."""

from __future__ import annotations

import re
from pathlib import Path

from ..chain import encode, freeze
from ..errors import InvalidValue
from ..lines import ScanEnd
from ..log import Anchor, Progress
from ..state.models import RunState, reduce_events
from ..wording import show
from .convert import convert
from .journal import EventJournal


def replay(path: Path, as_of: int | None, *, as_json: bool = False) -> list[str]:
    """The state after the first `as_of` events, or after all of them; lines after those are not looked at."""
    if as_of is not None and as_of < 0:
        raise InvalidValue("--as-of was refused", f"expected 0 or a number of events, found {as_of}.")
    events = EventJournal(path).read_events(limit=as_of)
    count = len(events) if as_of is None else as_of
    if count > len(events):
        facts = f"{path.name} holds {len(events)} events, --as-of is {count}."
        raise InvalidValue("no such prefix", facts, f"Ask for 0 to {len(events)}.")
    state = reduce_events(events) if events else None
    if as_json:
        return [encode(freeze(state.model_dump(mode="json") if state else None)).decode()]
    if state is None:
        return [f"{path.name}, before the first event: there is no state"]
    return [f"{state.run_id} after event {count}", *described(state)]


def described(state: RunState) -> list[str]:
    """A state, one field a line."""
    fields = {**state.model_dump(mode="json"), "write_allowed": "yes" if state.write_allowed else "no"}
    del fields["run_id"]
    return [f"  {name:<15} {'-' if value is None else value}" for name, value in fields.items()]


def verify(path: Path, anchor: str | None, progress: Progress | None = None) -> list[str]:
    """What the journal holds, if every line can be trusted; else the `LogError` of the first that cannot.

    With an anchor, as this command prints it, also that the journal holds what it remembers.
    """
    count, run_id = 0, ""
    remembered = None if anchor is None else anchor_of(anchor)
    for found in EventJournal(path, progress=progress).scan(anchor=remembered):
        if not isinstance(found, ScanEnd):
            count, run_id = found.event.sequence, found.event.run_id
        elif found.error is not None:
            raise found.error
        else:
            whose = f" of {run_id}" if run_id else ""
            held = f", as the anchor of {remembered.count} remembers" if remembered else ""
            return [f"✓ {path.name} holds {_events(count)}{whose}{held}", f"  anchor {count}:{found.head}"]
    raise AssertionError("a scan ends with its reason")


def anchor_of(text: str) -> Anchor:
    """The anchor that `verify` printed as COUNT:HEAD."""
    found = re.fullmatch(r"([0-9]{1,15}):([0-9a-f]{64})", text.strip())
    if not found:
        hint = "Take it from the output of: forge journal verify."
        raise InvalidValue("the anchor was refused", f"expected COUNT:HEAD, found {show(text)}.", hint)
    return Anchor(count=int(found[1]), head=found[2])


def repair(path: Path, after: str | None) -> list[str]:
    """Move a torn last line aside, and say what was moved and what is left."""
    repaired = EventJournal(path).repair(None if after is None else anchor_of(after))
    if repaired is None:
        return [f"✓ {path.name} does not end in a torn line; nothing was changed"]
    return [
        f"✓ {path.name} keeps {_events(repaired.count)}",
        f"  {repaired.bytes} bytes of an unfinished one were moved to {repaired.path.name}",
    ]


def convert_file(path: Path, to: Path | None) -> list[str]:
    """Rewrite a journal canonically, and say what was changed and where the old bytes are."""
    done = convert(path, to)
    if done.kept is None:
        lines = [f"✓ {path.name} is canonical already; nothing was changed"]
    else:
        lines = [
            f"✓ {done.path.name} holds {_events(done.count)}, {done.changed} of them rewritten",
            f"  the old bytes are in {done.kept.name}",
        ]
    if done.torn:
        lines.append(f"  it ends in {done.torn} bytes of an unfinished line: forge journal repair moves them")
    return lines


def _events(count: int) -> str:
    return "1 event" if count == 1 else f"{count} events"
