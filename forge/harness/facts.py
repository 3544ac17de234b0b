"""Facts, and the stable ids that make writing one twice the same as writing it once.

The id of a fact is made from its scope and its content alone. A retry, another process and a restart arrive
at the same id, and find what is there. An id says what a fact is; where it came from and when is its
provenance, kept beside it and compared whenever a fact is met again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, Protocol, Self

from pydantic import Field

from ..chain import canonical, sha256
from ..errors import DuplicateMemory, ForgeModel, IdempotencyCollision
from ..instants import Instant, instant, moment
from ..wording import show

Text = Annotated[str, Field(min_length=1)]


def stable_id(scope: str, content: str) -> str:
    """The id of a fact: a digest of its scope and of the SHA-256 of its content.

    Both stand in canonical JSON, so ("ab", "c") and ("a", "bc") have two ids.
    """
    return "mem-" + sha256(canonical([scope, sha256(content.encode())]))[:32]


class Fact(ForgeModel):
    """One fact. `scope` is `workspace:<name>` or `user:<name>`.

    `source_id` and `source_kind` say where it was learned, `captured_at` when it was first. Facts with one
    `conflict_key` answer one question, and at most one of them is shown to a model.
    """

    scope: Text
    content: Text
    source_id: Text
    source_kind: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    captured_at: Instant
    conflict_key: Text | None = None


class StoredFact(Fact):
    """A fact under an id, as a store holds it."""

    memory_id: Text

    @classmethod
    def of(cls, fact: Fact) -> Self:
        """The fact under its stable id."""
        return cls(memory_id=stable_id(fact.scope, fact.content), **{f: getattr(fact, f) for f in _FIELDS})

    def to_json(self) -> dict[str, Any]:
        """The fact as plain JSON values, its time in microseconds since 1970."""
        return {**dict(self), "captured_at": instant(self.captured_at)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """The fact that plain JSON values describe, or `InvalidValue` with the path of what is wrong."""
        at = value.get("captured_at")
        return cls.model_validate({**value, "captured_at": moment(at) if type(at) is int else at})


_FIELDS = tuple(Fact.model_fields)

IMMUTABLE = ("memory_id", "scope", "content", "source_id", "source_kind", "conflict_key")
"""What a fact that is met again must have in common with the one that is held.

`captured_at` is not among them: two harnesses that learn one fact look at two clocks, and the first stands.
"""


class Kept(NamedTuple):
    """What a store holds after a fact was kept, and whether it was there already."""

    fact: StoredFact
    reused: bool


class FactStore(Protocol):
    """A store that `keep` can write to."""

    def get(self, memory_id: str) -> StoredFact | None:
        """The fact of that id, as it is now."""

    def append(self, fact: StoredFact) -> object:
        """Add a fact; `DuplicateMemory` when its id is taken."""


def keep(store: FactStore, fact: Fact) -> Kept:
    """Write a fact once, whoever else is writing it.

    A fact that is held is compared and reused. Who loses a race to another writer reads the winner's fact and
    compares it in the same way. `IdempotencyCollision` when what is held is not this fact.
    """
    wanted = StoredFact.of(fact)
    held = store.get(wanted.memory_id)
    if held is None:
        try:
            store.append(wanted)
            return Kept(wanted, reused=False)
        except DuplicateMemory:
            held = store.get(wanted.memory_id)
    require_same(held, wanted)
    return Kept(held or wanted, reused=True)


def require_same(held: StoredFact | None, wanted: StoredFact) -> None:
    """Return when two facts of one id are one fact; else raise `IdempotencyCollision`."""
    for field in IMMUTABLE:
        expected, found = getattr(wanted, field), getattr(held, field, None)
        if expected != found:
            raise IdempotencyCollision(
                "idempotency key collision",
                f"{wanted.memory_id} has the {field} {show(found)}, this fact has {show(expected)}.",
                "Nothing was written. Find out which of the two is wrong.",
                memory_id=wanted.memory_id,
                field=field,
                expected=expected,
                found=found,
            )
