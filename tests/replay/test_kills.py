"""Real processes: killed while they append, and eight of them at one journal."""

from __future__ import annotations

import itertools
import os
import random
import signal
from pathlib import Path

import pytest

from forge.errors import StaleWriter
from forge.log import Anchor
from forge.replay import EventJournal
from forge.state import RunEvent, RunState, reduce_events
from forge.state.checkpoint import load_checkpoint, save_checkpoint
from forge.state.models import apply_event
from forge.state.recovery import verify_recovery_equivalent
from tests.replay.runs import event, events, exit_code, forked

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="not run: this system has no fork")

SWEEP = bool(os.environ.get("FORGE_SWEEP"))


def work(folder: Path, pipe: int) -> None:
    """Go on with the run for ever, and tell the number of each event and checkpoint once it is written."""
    journal = EventJournal(folder / "run-1.jsonl")
    held = journal.read_events()
    state: RunState | None = reduce_events(held) if held else None
    for number in itertools.count(len(held) + 1):
        head = journal.append(event(number))
        os.write(pipe, f"a{number}\n".encode())
        state = apply_event(state, event(number))
        if number % 3 == 0:
            save_checkpoint(folder / "checkpoint.json", state, anchor=Anchor(count=number, head=head))
            os.write(pipe, f"c{number}\n".encode())


def killed_at_random(folder: Path, chance: random.Random) -> tuple[int, int]:
    """The last event and the last checkpoint that a child acknowledged before it was killed; 0: none."""
    child, reading = forked(lambda pipe: work(folder, pipe))
    with os.fdopen(reading, "rb") as pipe:
        told = [pipe.readline() for _ in range(chance.randrange(1, 12))]
        for _ in range(chance.randrange(0, 20_000)):  # somewhere inside the next step
            pass
        os.kill(child, signal.SIGKILL)
        told += pipe.readlines()
    assert exit_code(child) == -signal.SIGKILL
    return max_of(b"a", told), max_of(b"c", told)


def max_of(kind: bytes, told: list[bytes]) -> int:
    return max((int(line[1:]) for line in told if line.startswith(kind)), default=0)


def test_every_acknowledged_event_and_checkpoint_survives_a_kill(tmp_path: Path) -> None:
    chance, kills, held = random.Random(7), 200 if SWEEP else 20, 0
    journal, checkpoint = EventJournal(tmp_path / "run-1.jsonl"), tmp_path / "checkpoint.json"
    for _ in range(kills):
        appended, saved = killed_at_random(tmp_path, chance)
        if repaired := journal.repair():
            assert repaired.count >= appended
        found = journal.read_events()
        assert found == events(len(found))
        assert len(found) >= max(appended, held)
        held = len(found)
        if checkpoint.exists() or saved:
            loaded = load_checkpoint(checkpoint)
            assert loaded.state.version >= saved
            assert journal.read_events(anchor=loaded.anchor) == found
            tail = journal.read_events(start=loaded.state.version + 1)
            assert verify_recovery_equivalent(checkpoint, tail, found) == journal.replay()
    print(f"{kills} kills, {held} events, none lost")


def append_all(path: Path, writer: int, count: int) -> None:
    journal, number = EventJournal(path), 2
    for step in range(count):
        while True:
            try:
                journal.append(written_by(writer, step, number))
                break
            except StaleWriter as stale:
                number = stale.evidence["count"] + 1


def written_by(writer: int, step: int, number: int) -> RunEvent:
    return event(number, writer=writer, step=f"step {step}")


def test_eight_writers_of_one_journal_lose_nothing_and_repeat_nothing(tmp_path: Path) -> None:
    path, writers, count = tmp_path / "run-1.jsonl", 8, 250 if SWEEP else 25
    EventJournal(path).append(event(1))
    children = [forked(lambda _, who=who: append_all(path, who, count)) for who in range(writers)]
    for child, reading in children:
        os.close(reading)
        assert exit_code(child) == 0

    found = EventJournal(path).read_events()
    assert [one.sequence for one in found] == list(range(1, writers * count + 2))
    steps = [(one.payload["writer"], one.payload["step"]) for one in found[1:]]
    assert sorted(steps) == sorted((who, f"step {step}") for who in range(writers) for step in range(count))
    for who in range(writers):  # each writer's own order was kept
        assert [step for writer, step in steps if writer == who] == [f"step {step}" for step in range(count)]
    print(f"{writers} writers, {writers * count} events, none lost")
