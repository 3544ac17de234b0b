"""Mechanism 12: remote memory, as an append-only file of one machine.

Looking for a duplicate and appending are one step under one lock. That lock is a file lock: it holds between
the processes and threads of one machine, and says nothing to another one. A memory service must give the same
promise in its own way, by a unique key or a transaction; this module stands for its boundary and does not
pretend to be it.

A fact is never changed and never written twice. Ranking is the business of `forge.harness.recall`.
"""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike

from ..chain import canonical, event_bytes, parse_canonical
from ..errors import DuplicateMemory, LogError
from ..lines import Line, Place, place_after
from ..log import Anchor, ChainLog, Repair
from ..storage import REAL_DISK, Disk
from .facts import StoredFact


class RemoteMemoryStore:
    """The facts in the file `path`, oldest first. Any number of processes of one machine may write.

    `fsync_every` is that of `ChainLog`. The file `<path>.lock` beside it is the lock, and stays empty.
    """

    def __init__(self, path: str | PathLike[str], *, fsync_every: int = 1, disk: Disk = REAL_DISK) -> None:
        self._log = ChainLog(path, fsync_every=fsync_every, disk=disk)
        self._disk = disk
        self._held: dict[str, bytes] = {}  # the canonical JSON of each fact, by its id
        self._seen = Place()  # up to where the file is in it
        self.path = self._log.path

    def __len__(self) -> int:
        self._catch_up()
        return len(self._held)

    def __iter__(self) -> Iterator[StoredFact]:
        return self.since(0)

    def append(self, fact: StoredFact) -> int:
        """Add a fact, durably, and return its number, from 1. `DuplicateMemory` when its id is taken."""
        self._disk.make_folder(self.path.parent)
        with self._disk.lock(self.path.with_name(self.path.name + ".lock")):
            self._catch_up()
            if fact.memory_id in self._held:
                raise DuplicateMemory(
                    "the memory is a duplicate",
                    f"{self.path.name} holds {fact.memory_id} already.",
                    "Read the one that is held and compare it: an append-only store takes no second.",
                    memory_id=fact.memory_id,
                    number=list(self._held).index(fact.memory_id) + 1,
                )
            event = canonical(fact.to_json())
            line = self._log.append_json(event, expected=len(self._held))
            self._held[fact.memory_id] = event
            self._seen = place_after(line)
        return len(self._held)

    def get(self, memory_id: str) -> StoredFact | None:
        """The fact of that id, whoever wrote it."""
        self._catch_up()
        held = self._held.get(memory_id)
        return None if held is None else StoredFact.from_json(parse_canonical(held))

    def since(self, count: int) -> Iterator[StoredFact]:
        """The facts after the first `count`, in the order in which they were written."""
        self._catch_up()
        if count >= len(self._held):
            return  # the usual answer, and not worth a walk through all of them
        for held in list(self._held.values())[count:]:
            yield StoredFact.from_json(parse_canonical(held))

    def anchor(self) -> Anchor:
        """What to keep elsewhere of the store as it is now."""
        return self._log.anchor()

    def sync(self) -> None:
        """Return when all facts are on the device."""
        self._log.sync()

    def repair(self) -> Repair | None:
        """Set aside a last line that was cut while it was written."""
        return self._log.repair()

    def _catch_up(self) -> None:
        """Take in what was written since: by this object nothing, so as a rule only a size is compared."""
        if (self._disk.size(self.path) or 0) == self._seen.offset:
            return
        seen = Anchor(count=self._seen.number, head=self._seen.head)
        for line in self._log.lines(start=self._seen.number + 1, anchor=seen):
            self._take(line)

    def _take(self, line: Line) -> None:
        event = event_bytes(line[0])
        value = parse_canonical(event)
        memory_id = value.get("memory_id") if isinstance(value, dict) else None
        if not isinstance(memory_id, str) or memory_id in self._held:
            what = f"{memory_id} a second time" if isinstance(memory_id, str) else "no fact"
            raise LogError(
                "a remote memory cannot be trusted",
                f"line {line[1]} of {self.path.name} holds {what}.",
                "It was written past this store. Take the file from a copy.",
                path=str(self.path),
            )
        self._held[memory_id] = event
        self._seen = place_after(line)
