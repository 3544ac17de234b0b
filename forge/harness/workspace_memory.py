"""Mechanism 10: workspace memory. The facts of one project, for every session in it and for no other.

It stands over `forge.memory`, which knows runs, sessions and users. A workspace outlives its sessions, so its
facts stand in the user scope, under a subject that begins with `workspace:` and that no user can have.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from ..chain import refuse
from ..errors import DuplicateMemory, MemoryRefused, StaleMemory
from ..memory import MemoryRecord, MemoryScope, MemoryStore, name
from ..wording import show
from .facts import Fact, Kept, StoredFact, keep


class ScopedMemory:
    """The facts of one scope in a `MemoryStore`. A fact with the conflict key of an older one replaces it."""

    kind: ClassVar[str]

    def __init__(self, store: MemoryStore, owner: str) -> None:
        self._store = store
        self.scope = f"{self.kind}:{name(owner, self.kind)}"

    def __len__(self) -> int:
        return len(self.facts())

    def keep(self, fact: Fact) -> Kept:
        """Write a fact once; see `forge.harness.facts.keep`. Another scope raises `InvalidValue`."""
        self._own(fact)
        return keep(self, fact)

    def facts(self, *, now: datetime | None = None) -> list[StoredFact]:
        """What is remembered, in the order in which it was learned."""
        return [_fact(record) for record in self._store.query(MemoryScope.USER, self.scope, now=now)]

    def get(self, memory_id: str) -> StoredFact | None:
        """The fact of that id, if it belongs to this scope."""
        record = self._store.get(memory_id, MemoryScope.USER, self.scope)
        return None if record is None else _fact(record)

    def append(self, fact: StoredFact) -> None:
        """Add a fact. `DuplicateMemory` when its id is taken, `StaleMemory` when its key has a newer one."""
        self._own(fact)
        try:
            self._store.put(
                MemoryRecord(
                    memory_id=fact.memory_id,
                    scope=MemoryScope.USER,
                    subject_id=self.scope,
                    content=fact.content,
                    created_at=fact.captured_at,
                    source=f"{fact.source_kind}/{fact.source_id}",
                    key=fact.conflict_key,
                )
            )
        except StaleMemory:
            raise
        except MemoryRefused as refused:
            raise DuplicateMemory(
                "the memory is a duplicate",
                f"{self.scope} holds {fact.memory_id} already.",
                "Read the one that is held and compare it.",
                memory_id=fact.memory_id,
            ) from refused

    def _own(self, fact: Fact) -> None:
        if fact.scope != self.scope:
            refuse("scope", self.scope, show(fact.scope))


class WorkspaceMemory(ScopedMemory):
    """The facts of a workspace: `WorkspaceMemory(store, "atlas")` holds those of `workspace:atlas`."""

    kind = "workspace"


def _fact(record: MemoryRecord) -> StoredFact:
    source_kind, _, source_id = (record.source or "").partition("/")
    return StoredFact(
        memory_id=record.memory_id,
        scope=record.subject_id,
        content=record.content,
        source_id=source_id,
        source_kind=source_kind,
        captured_at=record.created_at,
        conflict_key=record.key,
    )
