"""Judge the answers of one submission: run it, and again without whatever ended it, until all is recorded."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .compose import Notebook, compose, probe_name
from .inside.judged import SHOWN
from .merge import Merged
from .probing import Case, Probes
from .run import Seen

ROUNDS = 6
"""How many times a submission is begun again; each time without the cell that ended its kernel."""


@dataclass(frozen=True)
class Record:
    """What was seen of one item: its value for each case, or why there is none.

    `how` is "" when there are values, else "missing", "died", "over its time", "garbled" or "blocked".
    """

    values: tuple[str, ...] = ()
    how: str = ""
    words: str = ""


def judge(
    probes: Probes,
    merged: Merged,
    cases: Mapping[str, Sequence[Case]],
    expected: Mapping[str, Sequence[str]],
    run: Callable[[Notebook], list[Seen]],
    *,
    seconds: float = 240.0,
) -> dict[str, Record]:
    """A record for every item."""
    records: dict[str, Record] = {}
    left_out: dict[str, Record] = {}
    wanted = [item.id for item in probes.items]
    until = time.monotonic() + seconds
    for _ in range(ROUNDS):
        notebook = compose(probes, merged, cases, expected, left_out=left_out, done=records)
        seen = run(notebook)
        for item in wanted:
            cell = next((one for one in seen if one.name == probe_name(item)), None)
            if item not in records and cell is not None and cell.how != "blocked":
                records[item] = _record(item, len(cases[item]), cell)
        ended = _ended(seen)
        if ended is None or len(records) == len(wanted) or time.monotonic() > until:
            break
        left_out[ended.name] = Record(how=ended.how, words=ended.words)
    for part in merged.parts:
        for item in part.items:
            if part.name in left_out:
                records[item] = left_out[part.name]
    nothing = Record(how="blocked", words="other cells of the notebook used up its time")
    return {item: records.get(item, nothing) for item in wanted}


def _ended(seen: Sequence[Seen]) -> Seen | None:
    """The cell that ended the kernel, so that those after it were blocked."""
    for one, following in zip(seen, [*seen[1:], None], strict=True):
        if one.how in {"died", "over its time"} and (following is None or following.how == "blocked"):
            return one
    return None


def _is_value(found: object) -> bool:
    """Whether this can be the text of a value: the kernel is the learner's, and sends what it likes."""
    return isinstance(found, str) and len(found) <= SHOWN + 1 and found[:SHOWN].isascii()


def _record(item: str, count: int, cell: Seen) -> Record:
    if cell.how:
        return Record(how=cell.how, words=cell.words)
    value: Any = cell.shown[0] if len(cell.shown) == 1 else None
    if isinstance(value, dict) and value.get("item") == item:
        values = value.get("values")
        if values is None:
            return Record(how="missing", words="its cell did not run to its end")
        if isinstance(values, list) and len(values) == count and all(map(_is_value, values)):
            return Record(values=tuple(values))
    return Record(how="garbled", words="its cell did not display one value")
