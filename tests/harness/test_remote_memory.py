"""Remote memory: what is written once stays written once, whoever else is writing."""

from __future__ import annotations

import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from forge.errors import AnchorMismatch, DamagedRecord, DuplicateMemory, IdempotencyCollision, LogError
from forge.harness.facts import Fact, StoredFact, keep, stable_id
from forge.harness.remote_memory import RemoteMemoryStore
from forge.log import ChainLog

AT = datetime(2026, 1, 5, 9, tzinfo=UTC)
CHILD = Path(__file__).with_name("remote_writer_child.py")


def fact(
    content: str = "The release goes out on Thursday.", scope: str = "workspace:atlas", **more: object
) -> Fact:
    values = {"source_id": "note-1", "source_kind": "user_message", "captured_at": AT, **more}
    return Fact(scope=scope, content=content, **values)


@pytest.fixture
def store(tmp_path: Path) -> RemoteMemoryStore:
    return RemoteMemoryStore(tmp_path / "remote.jsonl")


def test_a_fact_comes_back_with_its_source_and_its_time(store: RemoteMemoryStore) -> None:
    written = StoredFact.of(fact(conflict_key="release day"))
    assert store.append(written) == 1
    [read] = RemoteMemoryStore(store.path)
    assert read == written
    assert (read.source_id, read.source_kind, read.captured_at) == ("note-1", "user_message", AT)


def test_a_second_fact_of_one_id_is_a_duplicate_and_nothing_is_written(store: RemoteMemoryStore) -> None:
    store.append(StoredFact.of(fact()))
    before = store.path.read_bytes()
    other = RemoteMemoryStore(store.path)
    with pytest.raises(DuplicateMemory, match="the memory is a duplicate") as caught:
        other.append(StoredFact.of(fact(source_id="note-2")))
    assert caught.value.evidence["number"] == 1
    assert store.path.read_bytes() == before


def test_an_object_sees_what_another_one_has_written(store: RemoteMemoryStore) -> None:
    other = RemoteMemoryStore(store.path)
    assert (len(store), len(other)) == (0, 0)
    store.append(StoredFact.of(fact("one")))
    other.append(StoredFact.of(fact("two")))
    store.append(StoredFact.of(fact("three")))
    assert [f.content for f in other] == [f.content for f in store] == ["one", "two", "three"]


def test_keeping_a_fact_twice_reuses_it(store: RemoteMemoryStore) -> None:
    first = keep(store, fact())
    again = keep(RemoteMemoryStore(store.path), fact(captured_at=AT + timedelta(days=1)))
    assert (first.reused, again.reused, len(store)) == (False, True, 1)
    assert again.fact.captured_at == AT, "the first capture stands"


@pytest.mark.parametrize(
    "changed",
    [{"source_id": "note-2"}, {"source_kind": "tool_result"}, {"conflict_key": "day"}],
    ids=lambda changed: next(iter(changed)),
)
def test_a_stable_id_with_another_provenance_is_a_collision(
    store: RemoteMemoryStore, changed: dict[str, str]
) -> None:
    keep(store, fact())
    with pytest.raises(IdempotencyCollision, match="idempotency key collision") as caught:
        keep(store, fact(**changed))
    assert caught.value.evidence["field"] == next(iter(changed))
    assert len(store) == 1


@pytest.mark.parametrize("changed", [{"content": "It goes out on Friday."}, {"scope": "workspace:borea"}])
def test_a_stable_id_with_another_content_is_a_collision(
    store: RemoteMemoryStore, changed: dict[str, str]
) -> None:
    store.append(StoredFact.of(fact()).model_copy(update=changed))
    with pytest.raises(IdempotencyCollision) as caught:
        keep(store, fact())
    assert caught.value.evidence["field"] in changed
    assert len(store) == 1


def test_ids_are_made_of_scope_and_content_with_a_border_between() -> None:
    ids = {stable_id(*pair) for pair in [("ab", "c"), ("a", "bc"), ("a", "b c"), ("a b", "c")]}
    assert len(ids) == 4
    assert stable_id("ab", "c") == stable_id("ab", "c")


class _Late(RemoteMemoryStore):
    """A store whose first look comes before another writer's append, and its own append after it."""

    def get(self, memory_id: str) -> StoredFact | None:
        found = super().get(memory_id)
        if found is None:
            RemoteMemoryStore(self.path).append(self.theirs)
        return found

    theirs: StoredFact


def test_who_loses_a_race_reads_the_winner_and_reuses_it(tmp_path: Path) -> None:
    store = _Late(tmp_path / "remote.jsonl")
    store.theirs = StoredFact.of(fact())
    assert keep(store, fact()).reused
    assert len(store) == 1


def test_who_loses_a_race_to_another_content_fails_closed(tmp_path: Path) -> None:
    store = _Late(tmp_path / "remote.jsonl")
    store.theirs = StoredFact.of(fact(source_id="forged"))
    with pytest.raises(IdempotencyCollision):
        keep(store, fact())
    assert [f.source_id for f in store] == ["forged"]


def test_threads_that_write_the_same_facts_write_each_once(tmp_path: Path) -> None:
    path, reused, start = tmp_path / "remote.jsonl", [], threading.Barrier(6)

    def work() -> None:
        store = RemoteMemoryStore(path)
        start.wait()
        reused.extend(keep(store, fact(f"fact {n}")).reused for n in range(12))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(RemoteMemoryStore(path)) == 12
    assert reused.count(False) == 12


def test_processes_that_write_the_same_facts_write_each_once(tmp_path: Path) -> None:
    path = tmp_path / "remote.jsonl"
    command = [sys.executable, str(CHILD), str(path), "20"]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = [child.communicate(timeout=60)[0].split() for child in children]
    assert [child.returncode for child in children] == [0, 0, 0]
    assert sum(words.count("new") for words in said) == 20
    assert len(RemoteMemoryStore(path)) == 20


def test_an_edited_fact_is_damage(store: RemoteMemoryStore) -> None:
    store.append(StoredFact.of(fact()))
    store.path.write_bytes(store.path.read_bytes().replace(b"Thursday", b"Saturday"))
    with pytest.raises(DamagedRecord):
        list(RemoteMemoryStore(store.path))


def test_a_store_that_was_cut_or_written_anew_is_noticed_by_who_has_read_it(store: RemoteMemoryStore) -> None:
    store.append(StoredFact.of(fact("one")))
    store.append(StoredFact.of(fact("two")))
    reader = RemoteMemoryStore(store.path)
    assert len(reader) == 2
    first, _, _ = store.path.read_bytes().partition(b"\n")
    store.path.write_bytes(first + b"\n")
    with pytest.raises(AnchorMismatch):
        len(reader)


def test_a_fact_that_stands_twice_is_not_trusted(store: RemoteMemoryStore) -> None:
    log = ChainLog(store.path)
    for _ in range(2):
        log.append(StoredFact.of(fact()).to_json())
    with pytest.raises(LogError, match="a remote memory cannot be trusted"):
        len(store)


def test_a_torn_tail_is_set_aside_and_the_facts_stay(store: RemoteMemoryStore) -> None:
    store.append(StoredFact.of(fact("one")))
    store.append(StoredFact.of(fact("two")))
    store.path.write_bytes(store.path.read_bytes()[:-20])
    again = RemoteMemoryStore(store.path)
    assert again.repair() is not None
    assert [f.content for f in again] == ["one"]
    assert keep(again, fact("two")).reused is False
