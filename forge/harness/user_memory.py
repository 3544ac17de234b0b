"""Mechanism 11: user memory. What a person prefers, in every project, until a project says otherwise."""

from __future__ import annotations

from .workspace_memory import ScopedMemory


class UserMemory(ScopedMemory):
    """The preferences of a user: `UserMemory(store, "ada")` holds those of `user:ada`.

    A preference that changes is a new fact with the same conflict key: the older one is gone from here, and
    stays in the append-only remote memory, where it loses to the newer one.
    """

    kind = "user"
