"""Workspace and user memory: facts of one scope, written once, found by nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from forge.errors import IdempotencyCollision, InvalidValue, StaleMemory
from forge.harness.facts import Fact, StoredFact
from forge.harness.user_memory import UserMemory
from forge.harness.workspace_memory import WorkspaceMemory
from forge.memory import MemoryRecord, MemoryScope, MemoryStore

AT = datetime(2026, 1, 5, 9, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[MemoryStore]:
    with MemoryStore(tmp_path / "memory.sqlite", durable=False) as store:
        yield store


def fact(scope: str, content: str = "The release day is Thursday.", **more: object) -> Fact:
    values = {"source_id": "note/1", "source_kind": "user_message", "captured_at": AT, **more}
    return Fact(scope=scope, content=content, **values)


def test_a_fact_comes_back_with_source_and_time_from_another_object(store: MemoryStore) -> None:
    kept = WorkspaceMemory(store, "atlas").keep(fact("workspace:atlas", conflict_key="release day"))
    assert not kept.reused
    with MemoryStore(store.path, durable=False) as fresh:
        assert WorkspaceMemory(fresh, "atlas").facts() == [kept.fact]


def test_a_fact_that_is_kept_again_is_reused(store: MemoryStore) -> None:
    memory = WorkspaceMemory(store, "atlas")
    memory.keep(fact("workspace:atlas"))
    again = memory.keep(fact("workspace:atlas", captured_at=AT + timedelta(hours=1)))
    assert again.reused
    assert again.fact.captured_at == AT
    assert len(memory) == 1


def test_two_workspaces_and_a_user_of_one_name_do_not_see_each_other(store: MemoryStore) -> None:
    memories = [WorkspaceMemory(store, "atlas"), WorkspaceMemory(store, "borea"), UserMemory(store, "atlas")]
    kept = [memory.keep(fact(memory.scope)).fact for memory in memories]
    for memory, own in zip(memories, kept, strict=True):
        assert memory.facts() == [own]
        assert [memory.get(fact.memory_id) for fact in kept if fact != own] == [None, None]


def test_a_user_cannot_be_named_into_a_workspace(store: MemoryStore) -> None:
    WorkspaceMemory(store, "atlas").keep(fact("workspace:atlas"))
    assert UserMemory(store, "workspace:atlas").facts() == []


def test_a_fact_of_another_scope_is_refused(store: MemoryStore) -> None:
    with pytest.raises(InvalidValue, match="scope was refused"):
        WorkspaceMemory(store, "atlas").keep(fact("user:ada"))


@pytest.mark.parametrize("changed", [{"source_id": "note/2"}, {"source_kind": "tool_result"}])
def test_a_stable_id_with_another_source_is_a_collision(store: MemoryStore, changed: dict[str, str]) -> None:
    memory = WorkspaceMemory(store, "atlas")
    memory.keep(fact("workspace:atlas"))
    with pytest.raises(IdempotencyCollision, match="idempotency key collision"):
        memory.keep(fact("workspace:atlas", **changed))


def test_an_id_that_stands_in_another_scope_is_a_collision(store: MemoryStore) -> None:
    wanted = StoredFact.of(fact("workspace:atlas"))
    record = MemoryRecord(
        memory_id=wanted.memory_id, scope=MemoryScope.USER, subject_id="user:eve", content="x", created_at=AT
    )
    store.put(record)
    with pytest.raises(IdempotencyCollision):
        WorkspaceMemory(store, "atlas").keep(fact("workspace:atlas"))


def test_a_preference_that_changes_replaces_the_older_one(store: MemoryStore) -> None:
    memory = UserMemory(store, "ada")
    memory.keep(fact("user:ada", "Answer in English.", conflict_key="language"))
    later = fact("user:ada", "Answer in French.", conflict_key="language", captured_at=AT + timedelta(days=1))
    memory.keep(later)
    assert [f.content for f in memory.facts()] == ["Answer in French."]
    with pytest.raises(StaleMemory):
        memory.keep(fact("user:ada", "Answer in English.", conflict_key="language"))


class _Late(WorkspaceMemory):
    """A memory whose first look comes before another writer's append, and its own append after it."""

    theirs: Fact

    def get(self, memory_id: str) -> StoredFact | None:
        found = super().get(memory_id)
        if found is None:
            with MemoryStore(self._store.path, durable=False) as store:
                WorkspaceMemory(store, "atlas").append(StoredFact.of(self.theirs))
        return found


def test_who_loses_a_race_reads_the_winner_and_reuses_it(store: MemoryStore) -> None:
    memory = _Late(store, "atlas")
    memory.theirs = fact("workspace:atlas")
    assert memory.keep(fact("workspace:atlas")).reused
    assert len(memory) == 1


def test_who_loses_a_race_to_another_source_fails_closed(store: MemoryStore) -> None:
    memory = _Late(store, "atlas")
    memory.theirs = fact("workspace:atlas", source_id="forged")
    with pytest.raises(IdempotencyCollision):
        memory.keep(fact("workspace:atlas"))
