"""The snapshot of a state as lines of a table: part, id, version and row, each as text."""

from __future__ import annotations

from itertools import islice

from ..errors import SnapshotDiffers
from .digests import canonical
from .events import Event, ImportDocument, RevokeDocument, RevokeMemory, WriteMemory
from .states import State, identity_of

Line = tuple[str, str, str, str]


def lines_of(state: State) -> set[Line]:
    """All lines of a state. The version of a memory stands in its row only: it has one line."""
    lines = {
        ("documents", doc_id, version, canonical(row))
        for doc_id, versions in state["documents"].items()
        for version, row in versions.items()
    }
    return lines | {("memories", identity, "", canonical(row)) for identity, row in state["memories"].items()}


def touched(before: State, after: State, event: Event) -> list[Line]:
    """The lines that an event adds or changes: a memory, or at most the last two versions of a document."""
    if isinstance(event, WriteMemory | RevokeMemory):
        identity = identity_of(event.scope, event.key)
        return [("memories", identity, "", canonical(after["memories"][identity]))]
    if isinstance(event, ImportDocument | RevokeDocument):
        old, new = before["documents"].get(event.doc_id, {}), after["documents"][event.doc_id]
        changed = [version for version in islice(reversed(new), 2) if old.get(version) is not new[version]]
        return [("documents", event.doc_id, version, canonical(new[version])) for version in changed]
    raise AssertionError("there are four kinds of event")


def compare(state: State, kept: set[Line]) -> None:
    """Nothing, if the snapshot holds the state and nothing else; else `SnapshotDiffers`."""
    expected = lines_of(state)
    if expected == kept:
        return
    part, identity, version, _ = line = min(expected ^ kept, key=repr)
    beside = {each[:3] for each in (kept if line in expected else expected)}
    what = "another" if line[:3] in beside else "missing" if line in expected else "one too many"
    where = " ".join(str(each) for each in (part, identity, version) if each != "")
    raise SnapshotDiffers(
        "the snapshot differs from the events",
        f"the line of {where} is {what}.",
        "Neither is mended: bring both back from a copy.",
        part=part,
        id=identity,
        version=version,
    )
