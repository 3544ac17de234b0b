"""What a storage device may hold after a power cut: the model behind `FakeDisk`.

Of the changes that were not synced, the device holds the first few, or all but one: writes to one file, and
names in one folder, reach it in order or nearly so, and files are independent of each other. The first write
that is not whole may be cut at any byte, or be there in length with zeros in it. To keep the number of states
small, one file goes through all of this while the others are either as in memory or as last synced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Operation(NamedTuple):
    """One change that was asked of a disk; `done` is False when the disk refused it."""

    name: str
    path: Path
    data: bytes = b""
    size: int = 0
    target: Path | None = None
    done: bool = True

    def __str__(self) -> str:
        size = f" ({len(self.data)} bytes)" if self.data else ""
        target = f" to {self.target.name}" if self.target else ""
        return f"{self.name} {self.path.name}{target}{size}{'' if self.done else ': refused'}"


class _Change(NamedTuple):
    """A write of `data` at a byte, or (None) the end of the file set there."""

    at: int
    data: bytes | None


def _play(content: bytes, changes: Sequence[_Change]) -> bytes:
    for at, data in changes:
        end = b"" if data is None else data + content[at + len(data) :]
        content = content[:at].ljust(at, b"\0") + end
    return content


def _arrivals(changes: Sequence[T]) -> Iterator[list[T]]:
    """What may have reached the device of `changes`: the first few, or all but one."""
    for count in range(len(changes) + 1):
        yield list(changes[:count])
    for lost in range(len(changes) - 1):
        yield [change for number, change in enumerate(changes) if number != lost]


class File:
    """The bytes of a file: on the device, in memory, and the changes between."""

    def __init__(self, content: bytes = b"") -> None:
        self.durable = self.now = content
        self.unsynced: list[_Change] = []

    def change(self, at: int, data: bytes | None) -> None:
        """Write `data` at a byte, or (None) end the file there; in memory."""
        self.unsynced.append(_Change(at, data))
        self.now = _play(self.now, self.unsynced[-1:])

    def sync(self) -> None:
        """Bring the changes to the device."""
        self.durable, self.unsynced = self.now, []

    def possible(self) -> Iterator[bytes]:
        """What the device may hold of it if the power goes now."""
        for changes in _arrivals(self.unsynced):
            yield _play(self.durable, changes)
        for whole, (at, data) in enumerate(self.unsynced):
            before = _play(self.durable, self.unsynced[:whole])
            for size in range(1, len(data or b"")):
                yield _play(before, [_Change(at, (data or b"")[:size])])
            if data:
                yield _play(before, [_Change(at, bytes(len(data)))])


class Device:
    """Files by name, as the device holds them and as the memory shows them."""

    def __init__(self, files: Mapping[Path, bytes]) -> None:
        self.now = {path: File(content) for path, content in files.items()}
        self.durable = dict(self.now)
        self.renamed: list[dict[Path, File | None]] = []

    def apply(self, operation: Operation) -> None:
        """Do what was asked, unless the disk refused it."""
        name, path, data, size, target, done = operation
        if not done:
            return
        if name in ("create", "append"):
            if path not in self.now:
                self._name({path: File()})
            if data:
                self.now[path].change(len(self.now[path].now), data)
        elif name == "truncate":
            self.now[path].change(size, None)
        elif name == "sync":
            self.now[path].sync()
        elif name == "rename" and target is not None:
            self._name({path: None, target: self.now[path]})
        elif name == "remove":
            self._name({path: None})
        elif name == "sync_folder":
            for names in self.renamed:
                for known in [known for known in names if known.parent == path]:
                    _put(self.durable, {known: names.pop(known)})
            self.renamed = [names for names in self.renamed if names]

    def _name(self, names: dict[Path, File | None]) -> None:
        self.renamed.append(names)
        _put(self.now, names)

    def possible(self) -> Iterator[dict[Path, bytes]]:
        """What the device may hold if the power goes now; the same more than once."""
        for arrived in _arrivals(self.renamed):
            named = dict(self.durable)
            for names in arrived:
                _put(named, names)
            yield from _contents(named)


def _put(names: dict[Path, File], changes: Mapping[Path, File | None]) -> None:
    for path, file in changes.items():
        if file is None:
            names.pop(path, None)
        else:
            names[path] = file


def _contents(named: Mapping[Path, File]) -> Iterator[dict[Path, bytes]]:
    settled = {path: file.now for path, file in named.items()}
    unsettled = [path for path, file in named.items() if file.unsynced]
    if not unsettled:
        yield settled
    for path in unsettled:
        others = [other for other in unsettled if other != path]
        for corner in product(*((named[other].now, named[other].durable) for other in others)):
            for content in named[path].possible():
                yield settled | dict(zip(others, corner, strict=True)) | {path: content}
