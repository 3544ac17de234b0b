"""A deletion that is killed before any of its statements never leaves a summary without its memory."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import forge.database
from forge.errors import SourceRefused
from forge.memory import MemoryScope, MemoryStore
from forge.replay import DerivedSummaryCache, delete_memory_everywhere
from tests.replay.runs import CANARY, exit_code, files_that_say, forked, remember

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="not run: this system has no fork")

KILLED = 9


def prepare(folder: Path) -> None:
    with MemoryStore(folder / "memories.db") as store, DerivedSummaryCache(folder / "summaries.db") as cache:
        remember(store)
        remember(store, "other", "the meeting is on Friday at nine")
        cache.put("day", ["note", "other"], f"day: {CANARY}")
        cache.put("week", [], f"week: {CANARY}", source_summary_ids=["day"])
        cache.put("plan", ["other"], "The meeting is on Friday at nine.")


def delete_and_die(folder: Path, at: int) -> tuple[bool, int]:
    """Delete in a child that is killed before statement `at`: whether it was, and how many statements ran."""
    child, reading = forked(lambda pipe: _delete(folder, at, pipe))
    with os.fdopen(reading, "rb") as pipe:
        statements = len(pipe.read())
    code = exit_code(child)
    assert code in (0, KILLED)
    return code == KILLED, statements


def _delete(folder: Path, at: int, pipe: int) -> None:
    store, cache = MemoryStore(folder / "memories.db"), DerivedSummaryCache(folder / "summaries.db")
    ran = 0

    def before(_statement: str) -> None:
        nonlocal ran
        ran += 1
        if ran == at:
            os._exit(KILLED)
        os.write(pipe, b".")

    store.connection.set_trace_callback(before)
    cache.connection.set_trace_callback(before)
    delete_memory_everywhere(store, cache, "note")


def after_the_crash(folder: Path) -> None:
    """Whatever was done must be consistent, and the next call must finish it."""
    with MemoryStore(folder / "memories.db") as store, DerivedSummaryCache(folder / "summaries.db") as cache:
        kept = {record.memory_id for record in store.query(MemoryScope.USER, "user-1")}
        summaries = [cache.get("day"), cache.get("week")]
        assert summaries in ([f"day: {CANARY}", f"week: {CANARY}"], [None, None])
        if "note" not in kept:
            assert summaries == [None, None]
        if summaries == [None, None]:
            _cannot_come_back(cache)

        deletion = delete_memory_everywhere(store, cache, "note")
        assert deletion == ("note" in kept, sum(text is not None for text in summaries))
        assert deletion.receipt.status == "gone"
        assert files_that_say(CANARY, folder) == []
        _cannot_come_back(cache)
        assert cache.get("plan") == "The meeting is on Friday at nine."
        assert [record.memory_id for record in store.query(MemoryScope.USER, "user-1")] == ["other"]
    assert files_that_say(CANARY, folder) == []


def _cannot_come_back(cache: DerivedSummaryCache) -> None:
    with pytest.raises(SourceRefused):
        cache.put("again", ["note"], CANARY)
    with pytest.raises(SourceRefused):
        cache.put("again", [], CANARY, source_summary_ids=["day"])


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_deletion_that_is_killed_anywhere_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setattr(forge.database, "WAL_IS_SAFE_FROM", (0, 0, 0) if mode == "wal" else (99, 0, 0))
    prepare(tmp_path / "before")
    shutil.copytree(tmp_path / "before", tmp_path / "whole")
    killed, statements = delete_and_die(tmp_path / "whole", at=0)
    assert not killed
    assert statements > 20
    step = 1 if os.environ.get("FORGE_SWEEP") else 5
    points = range(1, statements + 1, step)

    for at in points:
        folder = tmp_path / f"killed-{at}"
        shutil.copytree(tmp_path / "before", folder)
        assert delete_and_die(folder, at)[0]
        after_the_crash(folder)
        shutil.rmtree(folder)
    print(f"{mode}: killed before {len(points)} of {statements} statements and commits")
