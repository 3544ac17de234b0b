"""The state of a version memory, and how each event changes it.

A state is a mapping that cannot be changed:

    {"documents": {doc_id: {version: row}}, "memories": {identity: row}}

Versions are keys, so they are text, and only the last one can be active. A memory's identity is the canonical
JSON of `[scope, key]`: joined with a slash, the scope "a/b" with the key "c" and the scope "a" with the key
"b/c" would be one memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..chain import FrozenDict
from ..errors import ContractError
from ..wording import show
from .digests import canonical
from .events import Event, ImportDocument, RevokeDocument, RevokeMemory, WriteMemory, as_event

State = Mapping[str, Mapping[str, Any]]
Row = Mapping[str, Any]

EMPTY: State = FrozenDict(documents=FrozenDict(), memories=FrozenDict())
"""The state before the first event."""


def reduce_event(state: State, event: Event | Mapping[str, Any]) -> State:
    """The state after `event`. The state that is given stays as it is.

    `ContractError` for an event that is not well formed, a version that is not greater than the one before,
    and a revocation that does not name the current version.
    """
    accepted = as_event(event)
    return _APPLY[accepted.kind](state, accepted)


def import_version(state: State, event: ImportDocument) -> State:
    """The new version is active; the one that was active is superseded."""
    versions = versions_of(state, event.doc_id)
    latest = latest_of(versions)
    if latest is not None and event.version <= latest["version"]:
        raise not_greater(event.doc_id, latest["version"], event.version)
    changed = {}
    if latest is not None and latest["status"] == "active":
        changed[str(latest["version"])] = put(latest, {"status": "superseded"})
    changed[str(event.version)] = row_of(event)
    return _changed(state, "documents", event.doc_id, put(versions, changed))


def revoke_version(state: State, event: RevokeDocument) -> State:
    """The active version is revoked. No older one takes its place."""
    versions = versions_of(state, event.doc_id)
    revoked = revoke(latest_of(versions), event.version, event.doc_id)
    return _changed(state, "documents", event.doc_id, put(versions, {str(event.version): revoked}))


def write_memory(state: State, event: WriteMemory) -> State:
    """The memory has this value. Only a version greater than the last one, revoked or not, is accepted."""
    identity = identity_of(event.scope, event.key)
    held = state["memories"].get(identity)
    if held is not None and event.version <= held["version"]:
        raise not_greater(identity, held["version"], event.version)
    return _changed(state, "memories", identity, row_of(event))


def revoke_memory(state: State, event: RevokeMemory) -> State:
    """The memory is revoked, in its own scope and no other."""
    identity = identity_of(event.scope, event.key)
    revoked = revoke(state["memories"].get(identity), event.version, identity)
    return _changed(state, "memories", identity, revoked)


_APPLY: dict[str, Callable[[State, Any], State]] = {
    "import_document": import_version,
    "revoke_document": revoke_version,
    "write_memory": write_memory,
    "revoke_memory": revoke_memory,
}


def identity_of(scope: str, key: str) -> str:
    """What a memory is kept under."""
    return canonical([scope, key])


class Versions(FrozenDict):
    """The rows of a document by version, in rising order: the last one is found without a search."""

    __slots__ = ()


def versions_of(state: State, doc_id: str) -> Versions:
    """The versions of a document; none for one that is not known. JSON may have brought them out of order."""
    versions = state["documents"].get(doc_id, {})
    if isinstance(versions, Versions):
        return versions
    return Versions(sorted(versions.items(), key=lambda item: int(item[0])))


def latest_of(versions: Mapping[str, Row]) -> Row | None:
    """The row of the last version of a document, whatever its status."""
    if not versions:
        return None
    return versions[next(reversed(versions)) if isinstance(versions, Versions) else max(versions, key=int)]


def active_docs(state: State) -> list[Row]:
    """The rows of the active documents, at most one a document, in the order of their ids."""
    documents = (versions for _, versions in sorted(state["documents"].items()))
    return [row for versions in documents for row in versions.values() if row["status"] == "active"]


def active_memories(state: State) -> list[Row]:
    """The rows of the memories that are not revoked, in the order of their identities."""
    return [row for _, row in sorted(state["memories"].items()) if row["status"] == "active"]


def revoke(row: Row | None, version: int, what: str) -> Row:
    """The row with the status revoked; `ContractError` unless it is active and of that version."""
    if row is None or row["status"] != "active" or row["version"] != version:
        found = "nothing" if row is None else f"version {row['version']}, which is {row['status']}"
        raise ContractError(
            "a revocation names the current version",
            f"{what} holds {found}; version {version} was to be revoked.",
            "Look at what is active, and revoke that, if it is still what you mean.",
            id=what,
            version=version,
        )
    return put(row, {"status": "revoked"})


def not_greater(what: str, held: int, found: int) -> ContractError:
    """The refusal of a version that is not greater than the last one."""
    return ContractError(
        "a new version must be greater",
        f"{what} has version {held}, expected more than that, found {show(found)}.",
        "What comes back, comes back as a new version.",
        id=what,
        held=held,
        found=found,
    )


def row_of(event: ImportDocument | WriteMemory) -> FrozenDict:
    """What an event adds: its fields, and that it is active."""
    return FrozenDict({name: value for name, value in event if name != "kind"}, status="active")


def put(mapping: Mapping[str, Any], changes: Mapping[str, Any]) -> FrozenDict:
    """The mapping with some items changed, or added at its end. Everything else is shared, not copied."""
    changed = Versions(mapping) if isinstance(mapping, Versions) else FrozenDict(mapping)
    dict.update(changed, changes)
    return changed


def _changed(state: State, part: str, key: str, value: Any) -> State:
    return put(state, {part: put(state[part], {key: value})})
