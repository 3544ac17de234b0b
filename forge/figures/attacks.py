"""The attack bench: ways to make a revocation vanish from a journal, and which check sees them.

Each attack is carried out on a log file, and each check reads that file:

* no hash: the events are numbered without a gap and can be replayed, which is what stage 1 asks;
* chain: every line verifies and follows the one before;
* chain + anchor: the log also holds what was noted of it before the attack.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..chain import GENESIS, canonical, parse, seal
from ..errors import ForgeError
from ..log import ChainLog
from ..state.models import EventKind, RunEvent, RunState, reduce_events
from .board import Board

Lines = list[bytes]
"""The lines of a log, without their newlines."""

REVOKED = 3
"""The record that has to go."""


class Attack(NamedTuple):
    """What somebody does to the lines of a log, and whether they can write where the anchor is kept."""

    name: str
    does: str
    change: Callable[[Lines], Lines]
    reaches_anchor: bool = False


class Outcome(NamedTuple):
    """What each check says of an attacked log: the first words of its error, or None when it sees nothing."""

    attack: Attack
    checks: Mapping[str, str | None]
    may_write: bool | None
    """Whether the run may write, as the log now tells it; None where it cannot be replayed."""


def _events() -> list[RunEvent]:
    return [
        _event(1, EventKind.RUN_CREATED),
        _step(2, "inspect"),
        _event(REVOKED, EventKind.WRITE_PERMISSION_REVOKED, by="reviewer"),
        _step(4, "draft"),
        _step(5, "review"),
    ]


def edit(lines: Lines) -> Lines:
    """Another event in the place of record 3, between the old hashes."""
    other = _step(REVOKED, "inspect").model_dump(mode="json")
    return [*lines[:2], _with_event(lines[2], other), *lines[3:]]


def delete(lines: Lines) -> Lines:
    """All lines but the third."""
    return [*lines[:2], *lines[3:]]


def delete_and_renumber(lines: Lines) -> Lines:
    """The same, with the events counted anew, so that no number is missing."""
    numbered = enumerate(delete(lines), start=1)
    return [_with_event(line, {**_record(line)["event"], "sequence": number}) for number, line in numbered]


def cut_the_tail(lines: Lines) -> Lines:
    """The lines before the third."""
    return lines[:2]


def fork(lines: Lines) -> Lines:
    """A second record 3, which follows record 2 like the first."""
    twin, _ = seal(_step(REVOKED, "inspect").model_dump(mode="json"), _record(lines[2])["previous_hash"])
    return [*lines[:2], twin, *lines[2:]]


def recompute_everything(lines: Lines) -> Lines:
    """A log without the third record, every hash of which is right."""
    sealed, head = [], GENESIS
    for line in delete_and_renumber(lines):
        whole, head = seal(_record(line)["event"], head)
        sealed.append(whole)
    return sealed


ATTACKS = (
    Attack("edit", "record 3 says something else, its hashes stay", edit),
    Attack("delete", "record 3 is taken out of the middle", delete),
    Attack("delete, renumber", "and the events are counted anew", delete_and_renumber),
    Attack("cut the tail", "record 3 and all after it are gone", cut_the_tail),
    Attack("fork", "a second record 3 follows record 2", fork),
    Attack("recompute everything", "a log without record 3, every hash right", recompute_everything),
    Attack("the anchor as well", "the same, and a new anchor to match", recompute_everything, True),
)


def attack_bench(*, title: str = "Which check sees which attack") -> Board:
    """Every attack, on a log of its own, and what each check says: ✓ its words, or ✗ when it sees nothing."""
    with tempfile.TemporaryDirectory() as folder:
        outcomes = [carry_out(attack, Path(folder) / f"{n}.jsonl") for n, attack in enumerate(ATTACKS)]
    rows = [
        (
            f"{outcome.attack.name}\n{outcome.attack.does}",
            [f"✓ {words}" if words else "✗ sees nothing" for words in outcome.checks.values()],
        )
        for outcome in outcomes
    ]
    caption = (
        f"Record {REVOKED} took away the permission to write. Wherever a check sees nothing, the run it "
        "reads may write again.\n"
        "The anchor was noted before the attack. It helps as long as it is kept where the attacker cannot "
        "write."
    )
    return Board(title, ("attack", *outcomes[0].checks), rows, caption)


def carry_out(attack: Attack, path: Path) -> Outcome:
    """Write the log, note its anchor, attack the file, and check it."""
    log = ChainLog(path, fsync_every=100)
    for event in _events():
        log.append(event.model_dump(mode="json"))
    anchor = log.anchor()
    lines = path.read_bytes().split(b"\n")[:-1]
    path.write_bytes(b"".join(line + b"\n" for line in attack.change(lines)))
    if attack.reaches_anchor:
        anchor = ChainLog(path).anchor()
    checks = {
        "no hash": _words(lambda: _replay(path)),
        "chain": _words(lambda: ChainLog(path).read()),
        "chain + anchor": _words(lambda: ChainLog(path).read(anchor=anchor)),
    }
    return Outcome(attack, checks, _replay(path).write_allowed if checks["no hash"] is None else None)


def _replay(path: Path) -> RunState:
    """The state that the events in the file lead to, whatever its hashes say."""
    lines = path.read_bytes().split(b"\n")[:-1]
    return reduce_events(RunEvent.model_validate(_record(line)["event"]) for line in lines)


def _words(check: Callable[[], object]) -> str | None:
    try:
        check()
    except ForgeError as error:
        return error.words
    return None


def _record(line: bytes) -> Any:
    return parse(line)


def _with_event(line: bytes, event: Mapping[str, Any]) -> bytes:
    """The line with another event; its hashes stay."""
    return canonical({**_record(line), "event": event})


def _event(sequence: int, kind: EventKind, **payload: str) -> RunEvent:
    return RunEvent(event_id=f"e{sequence}", run_id="run-1", sequence=sequence, kind=kind, payload=payload)


def _step(sequence: int, step: str) -> RunEvent:
    return _event(sequence, EventKind.STEP_STARTED, step=step)
