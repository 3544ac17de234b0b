"""Runs, journals and memories for the tests of the replay package."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from forge.chain import GENESIS, seal
from forge.fakes import FakeDisk
from forge.memory import MemoryRecord, MemoryScope, MemoryStore
from forge.replay import EventJournal
from forge.state import EventKind, RunEvent

PATH = Path("/work/run-1.jsonl")

CANARY = "CANARY-51c0: she is allergic to the green paint"


def event(number: int, run_id: str = "run-1", **payload: object) -> RunEvent:
    kind = EventKind.RUN_CREATED if number == 1 else EventKind.STEP_STARTED
    payload = {"step": f"feature {number}", **payload} if number > 1 else payload
    return RunEvent(
        event_id=f"{run_id}-e{number}", run_id=run_id, sequence=number, kind=kind, payload=payload
    )


def events(count: int) -> list[RunEvent]:
    return [event(number) for number in range(1, count + 1)]


def content(count: int) -> bytes:
    """The bytes of a journal of `count` events."""
    disk = FakeDisk()
    journal = EventJournal(PATH, disk=disk)
    for one in events(count):
        journal.append(one)
    return disk.files.get(PATH, b"")


def holding(data: bytes) -> EventJournal:
    return EventJournal(PATH, disk=FakeDisk({PATH: data}))


def spaced(count: int, *, newline: str = "\n") -> bytes:
    """The same journal as other programs write it: with spaces, and with its keys in another order."""
    head, lines = GENESIS, []
    for one in events(count):
        payload = one.model_dump(mode="json")
        _, record_hash = seal(payload, head)
        record = {"record_hash": record_hash, "previous_hash": head, "event": payload}
        lines.append(json.dumps(record, ensure_ascii=False) + newline)
        head = record_hash
    return "".join(lines).encode()


def remember(store: MemoryStore, memory_id: str = "note", text: str = CANARY) -> None:
    record = MemoryRecord(
        memory_id=memory_id,
        scope=MemoryScope.USER,
        subject_id="user-1",
        content=text,
        created_at=datetime(2026, 1, 5, 9, 0, tzinfo=UTC),
    )
    store.put(record)


def files_that_say(text: str, folder: Path) -> list[str]:
    return sorted(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and text.encode() in path.read_bytes()
    )


def forked(work: Callable[[int], None]) -> tuple[int, int]:
    """A child that does `work`, given a pipe to write to: its process id, and the end to read from."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            work(writing)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    return child, reading


def exit_code(child: int) -> int:
    """How the child ended, once it has; below 0 for a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
