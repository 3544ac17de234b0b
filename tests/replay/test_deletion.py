"""Deleting a memory everywhere leaves its text nowhere, says so, and says when it is not yet true."""

from __future__ import annotations

import copy
import pickle
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import forge.database
from forge.errors import SourceRefused, StoreBusy
from forge.memory import MemoryScope, MemoryStore
from forge.replay import Deletion, DerivedSummaryCache, EventJournal, Receipt, delete_memory_everywhere
from forge.replay.deletion import SHORTEST, FileSearched, pieces
from tests.replay.runs import CANARY, event, events, files_that_say, remember

Stores = tuple[MemoryStore, DerivedSummaryCache]


@pytest.fixture(params=["delete", "wal"])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each test runs with a rollback journal and with a write-ahead log, whatever SQLite is installed."""
    version = (0, 0, 0) if request.param == "wal" else (99, 0, 0)
    monkeypatch.setattr(forge.database, "WAL_IS_SAFE_FROM", version)
    return str(request.param)


def opened(folder: Path, patience: float = 5.0) -> Stores:
    store = MemoryStore(folder / "memories.db", patience=patience)
    return store, DerivedSummaryCache(folder / "summaries.db", patience=patience)


@pytest.fixture
def stores(tmp_path: Path, mode: str) -> Iterator[Stores]:
    store, cache = opened(tmp_path)
    with store, cache:
        assert (store.journal_mode, cache.journal_mode) == (mode, mode)
        yield store, cache


def told(deletion: Deletion) -> list[tuple[str, int, int]]:
    """What was found in the databases themselves; a write-ahead log may hold the same."""
    files = deletion.receipt.files
    return [(path.name, *found) for path, *found in files if path.suffix == ".db" and any(found)]


def test_a_memory_its_summaries_and_their_summaries_go(stores: Stores) -> None:
    store, cache = stores
    remember(store)
    remember(store, "other", "the meeting is on Friday at nine")
    cache.put("day", ["note", "other"], f"day: {CANARY}")
    cache.put("week", [], f"week: {CANARY}", source_summary_ids=["day"])
    cache.put("plan", ["other"], "The meeting is on Friday at nine.")

    deletion = delete_memory_everywhere(store, cache, "note")

    assert deletion == (True, 2)
    assert [cache.get(name) for name in ("day", "week")] == [None, None]
    assert cache.get("plan") == "The meeting is on Friday at nine."
    assert [record.memory_id for record in store.query(MemoryScope.USER, "user-1")] == ["other"]
    assert told(deletion) == [("memories.db", 1, 0), ("summaries.db", 3, 0)]
    assert str(deletion.receipt).startswith("gone; pieces of the text in memories.db 1 → 0, ")


def test_the_result_is_a_pair_that_carries_a_receipt(stores: Stores) -> None:
    store, cache = stores
    remember(store)
    deletion = delete_memory_everywhere(store, cache, "note")
    deleted, invalidated = deletion
    assert (deleted, invalidated) == (deletion.deleted, deletion.invalidated) == (True, 0) == deletion
    assert repr(deletion) == "Deletion(deleted=True, invalidated=0)"
    for again in (pickle.loads(pickle.dumps(deletion)), copy.copy(deletion), copy.deepcopy(deletion)):
        assert (again, again.receipt) == (deletion, deletion.receipt)


def test_what_is_not_stored_is_not_deleted_and_nothing_is_invalidated(stores: Stores) -> None:
    store, cache = stores
    remember(store)
    cache.put("day", ["note"], CANARY)
    deletion = delete_memory_everywhere(store, cache, "nobody")
    assert (deletion, deletion.receipt.status) == ((False, 0), "gone")
    assert cache.get("day") == CANARY


def test_what_was_purged_before_still_takes_its_summaries_along(stores: Stores, tmp_path: Path) -> None:
    store, cache = stores
    remember(store)
    cache.put("day", ["note"], f"day: {CANARY}")
    store.delete("note")
    assert cache.get("day") == f"day: {CANARY}"  # a deletion in the store alone leaves derived text

    deletion = delete_memory_everywhere(store, cache, "note")
    assert (deletion, deletion.receipt.status) == ((False, 1), "gone")
    assert told(deletion) == [("summaries.db", 1, 0)]


def test_an_id_that_was_deleted_may_be_stored_again_and_is_never_summarised(stores: Stores) -> None:
    store, cache = stores
    remember(store)
    delete_memory_everywhere(store, cache, "note")
    remember(store, "note", "something new and harmless")
    with pytest.raises(SourceRefused, match="What is new gets a new id"):
        cache.put("day", ["note"], "something new and harmless")
    assert delete_memory_everywhere(store, cache, "note") == (True, 0)


# The bytes.


def workspace(folder: Path) -> None:
    """A run that used a memory: its journal names the memory, and never says what the memory says."""
    journal = EventJournal(folder / "runs" / "run-1.jsonl")
    for one in (*events(2), event(3, memory_ids=["note"])):
        journal.append(one)


@pytest.mark.parametrize("length", [len(CANARY), 3_000, 30_000])
def test_the_text_is_in_no_file_of_the_workspace_before_and_after_reopening(
    tmp_path: Path, mode: str, length: int
) -> None:
    workspace(tmp_path)
    text = (CANARY + " ") * (length // len(CANARY))
    store, cache = opened(tmp_path / "memory")
    with store, cache:
        for number in range(30):
            remember(store, f"n{number}", f"note {number} of many, none of them secret " * 20)
            cache.put(f"s{number}", [f"n{number}"], f"summary {number} of many, none of them secret")
        remember(store, "note", text)
        cache.put("day", ["note", "n1"], f"day: {text}")
        cache.put("week", [], f"week: {text}", source_summary_ids=["day"])
        cache.put("day", ["note"], f"day, again: {text}")
        before = files_that_say(CANARY, tmp_path)
        deletion = delete_memory_everywhere(store, cache, "note")
    assert {"memory/memories.db", "memory/summaries.db"} <= {name.removesuffix("-wal") for name in before}
    assert (deletion, deletion.receipt.status) == ((True, 2), "gone")
    assert all(before > 0 == after for _, before, after in told(deletion))
    assert files_that_say(CANARY, tmp_path) == []

    store, cache = opened(tmp_path / "memory")
    with store, cache:
        assert files_that_say(CANARY, tmp_path) == []
        assert cache.get("s1") == "summary 1 of many, none of them secret"
        assert len(store.query(MemoryScope.USER, "user-1")) == 30
    assert files_that_say(CANARY, tmp_path) == []


def test_every_file_of_both_stores_is_searched(stores: Stores) -> None:
    store, cache = stores
    remember(store)
    deletion = delete_memory_everywhere(store, cache, "note")
    searched = {path.name for path, _, _ in deletion.receipt.files}
    held = {path.name for path in (*store.files(), *cache.files()) if not path.name.endswith("-shm")}
    assert held <= searched


def test_while_a_reader_keeps_the_log_the_receipt_says_pending_and_the_next_call_finishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forge.database, "WAL_IS_SAFE_FROM", (0, 0, 0))
    store, cache = opened(tmp_path, patience=0.2)
    with store, cache:
        remember(store)
        cache.put("day", ["note"], f"day: {CANARY}")
        with closing(sqlite3.connect(store.path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM memories").fetchone()

            deletion = delete_memory_everywhere(store, cache, "note")
            assert (deletion, deletion.receipt.status) == ((True, 1), "pending")
            assert cache.get("day") is None
            assert files_that_say(CANARY, tmp_path) != []
            assert delete_memory_everywhere(store, cache, "note").receipt.status == "pending"
            reader.execute("ROLLBACK")

        deletion = delete_memory_everywhere(store, cache, "note")
        assert (deletion, deletion.receipt.status) == ((False, 0), "gone")
    assert files_that_say(CANARY, tmp_path) == []


def test_with_a_rollback_journal_a_reader_that_stays_is_named_and_the_next_call_finishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forge.database, "WAL_IS_SAFE_FROM", (99, 0, 0))
    store, cache = opened(tmp_path, patience=0.2)
    with store, cache:
        remember(store)
        cache.put("day", ["note"], f"day: {CANARY}")
        with closing(sqlite3.connect(store.path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM memories").fetchone()
            with pytest.raises(StoreBusy):
                delete_memory_everywhere(store, cache, "note")
            assert cache.get("day") is None  # never the other way round
            reader.execute("ROLLBACK")

        assert delete_memory_everywhere(store, cache, "note") == (True, 0)
    assert files_that_say(CANARY, tmp_path) == []


# The receipt.


def test_a_text_that_is_stored_a_second_time_is_reported(stores: Stores) -> None:
    store, cache = stores
    remember(store)
    cache.put("no lineage", [], f"They said: {CANARY}")
    deletion = delete_memory_everywhere(store, cache, "note")
    assert deletion.receipt.status == "found elsewhere"
    assert told(deletion) == [("memories.db", 1, 0), ("summaries.db", 1, 1)]


@pytest.mark.parametrize(("text", "status"), [("x" * 15, "too short to search"), ("ü" * 8, "gone")])
def test_a_text_under_sixteen_bytes_is_deleted_and_not_searched_for(
    stores: Stores, text: str, status: str
) -> None:
    store, cache = stores
    remember(store, "note", text)
    deletion = delete_memory_everywhere(store, cache, "note")
    assert (deletion, deletion.receipt.status) == ((True, 0), status)
    assert text.encode() not in b"".join(path.read_bytes() for path in store.files())


def test_a_summary_that_is_too_short_is_told_as_well(stores: Stores) -> None:
    store, cache = stores
    remember(store)
    cache.put("day", ["note"], "paint: no")
    assert delete_memory_everywhere(store, cache, "note").receipt.status == "too short to search"


def test_a_receipt_holds_no_text() -> None:
    assert set(Receipt.__slots__) == {"status", "files"}
    assert FileSearched._fields == ("path", "before", "after")


@pytest.mark.parametrize("length", [0, 15, 16, 63, 64, 65, 128, 1_000, 100_000])
def test_the_pieces_of_a_text_reach_from_its_beginning_to_its_end(length: int) -> None:
    text = bytes(number * 7 % 251 for number in range(length))
    found = pieces(text)
    if length < SHORTEST:
        assert found == []
        return
    assert found[0] == text[: len(found[0])]
    assert found[-1] == text[-len(found[-1]) :]
    assert all(SHORTEST <= len(piece) <= 64 and piece in text for piece in found)
    assert length > 4_096 or sum(map(len, found)) >= length  # nothing of a short text is left out
    assert len(found) <= 64
