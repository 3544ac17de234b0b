# ruff: noqa: D102  (`Disk` says what each operation does)
"""A disk and a clock for tests and labs: no file is touched, and whatever can go wrong goes wrong on demand.

`FakeDisk` remembers what the device holds and what only the memory holds. `states_after_cut(k)` gives every
content that a power cut after operation k may leave (`device.py` says which those are); a `FakeDisk` made of
one of them is the machine after the restart. Operations are what changes something: create, append, truncate,
sync, rename, remove, make_folder and sync_folder; they are numbered from 1. Reading and locking are none,
except that waiting for the lock of a missing file creates it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .device import Device, File, Operation
from .errors import InvalidValue, StorageError
from .storage import Disk, Names, storage_error

_NOTHING: Mapping[Any, Any] = MappingProxyType({})


class PowerCut(BaseException):
    """The machine stops. Not an `Exception`: nothing that runs on it can handle this."""


class _Waits(BaseException):
    """What runs in a `before` hook needs a lock that is held."""


class FakeDisk(Disk):
    """A disk in memory, for one thread.

    `files` is what the device holds at first. `before[k]` runs before operation k: a second writer, say. When
    it needs a lock that is held, it waits: it is run again, from its start, once the lock is free. `fail[k]`
    is raised instead of operation k; after a `PowerCut` so does every later operation. `short[k]` lets only
    that many bytes of operation k in, then the disk is full.
    """

    def __init__(
        self,
        files: Mapping[Path, bytes] | Mapping[str, bytes] = _NOTHING,
        *,
        before: Mapping[int, Callable[[], object]] = _NOTHING,
        fail: Mapping[int, BaseException] = _NOTHING,
        short: Mapping[int, int] = _NOTHING,
    ) -> None:
        self._first = {Path(path): bytes(content) for path, content in files.items()}
        self._device = Device(self._first)
        self._before, self._fail, self._short = dict(before), dict(fail), dict(short)
        self._locks: dict[Path, int] = {}
        self._waiting: list[Callable[[], object]] = []
        self._in_hook = False
        self._cut: BaseException | None = None
        self.operations: list[Operation] = []

    @property
    def files(self) -> dict[Path, bytes]:
        """What a program reads now, by path."""
        return {path: file.now for path, file in self._device.now.items()}

    def states_after_cut(self, operation: int) -> Iterator[dict[Path, bytes]]:
        """Every content the device may hold after a cut right after that operation; 0: before the first.

        Each is given once, and made when it is asked for.
        """
        device = Device(self._first)
        for done in self.operations[:operation]:
            device.apply(done)
        given = set()
        for state in device.possible():
            key = frozenset(state.items())
            if key not in given:
                given.add(key)
                yield state

    def read(self, path: Path, offset: int = 0, size: int | None = None) -> bytes:
        return self._file(path).now[offset : None if size is None else offset + size]

    def size(self, path: Path) -> int | None:
        return len(self._device.now[path].now) if path in self._device.now else None

    def list(self, folder: Path) -> Names:
        return sorted(path.name for path in self._device.now if path.parent == folder)

    def create(self, path: Path, data: bytes) -> None:
        self._do(Operation("create", path, data))

    def append(self, path: Path, data: bytes) -> None:
        self._do(Operation("append", path, data))

    def truncate(self, path: Path, size: int) -> None:
        self._do(Operation("truncate", path, size=size))

    def sync(self, path: Path) -> None:
        self._do(Operation("sync", path))

    def rename(self, source: Path, target: Path) -> None:
        self._do(Operation("rename", source, target=target))

    def remove(self, path: Path) -> None:
        self._do(Operation("remove", path))

    def make_folder(self, path: Path) -> None:
        self._do(Operation("make_folder", path))

    def sync_folder(self, path: Path) -> None:
        self._do(Operation("sync_folder", path))

    @contextmanager
    def lock(self, path: Path, *, shared: bool = False, wait: bool = True) -> Iterator[None]:
        if path not in self._device.now:
            if shared or not wait:
                self._file(path)
            self.create(path, b"")
        self._take(path, shared, wait)
        try:
            yield
        finally:
            self._locks[path] -= 1 if self._locks[path] > 0 else -1
            waiting, self._waiting = self._waiting, []
            for hook in waiting:
                self._run(hook)

    def _take(self, path: Path, shared: bool, wait: bool) -> None:
        # Above 0: that many share the lock; -1: one holds it alone.
        holders = self._locks.get(path, 0)
        if holders and not (shared and holders > 0):
            if not wait:
                raise BlockingIOError(errno.EAGAIN, "the lock is held", str(path))
            if self._in_hook:
                raise _Waits
            raise StorageError("the lock is already held", f"{path} is locked.", "Let go of it first.")
        self._locks[path] = holders + 1 if shared else -1

    def _run(self, hook: Callable[[], object]) -> None:
        outer, self._in_hook = self._in_hook, True
        try:
            hook()
        except _Waits:
            self._waiting.append(hook)
        finally:
            self._in_hook = outer

    def _file(self, path: Path) -> File:
        if path not in self._device.now:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        return self._device.now[path]

    def _do(self, asked: Operation) -> None:
        if hook := self._before.pop(len(self.operations) + 1, None):
            self._run(hook)
        number = len(self.operations) + 1
        if asked.name == "create" and asked.path in self._device.now:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(asked.path))
        if asked.name in ("truncate", "sync", "rename", "remove"):
            self._file(asked.path)
        error = self._cut or self._fail.get(number)
        operation = asked._replace(data=asked.data[: self._short.get(number)], done=error is None)
        if operation.data != asked.data and error is None:
            error = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if isinstance(error, PowerCut):
            self._cut = error
            raise error
        self.operations.append(operation)
        self._device.apply(operation)
        if isinstance(error, OSError):
            raise storage_error(asked.name, asked.path, error)
        if error is not None:
            raise error


class FakeClock:
    """A clock that stands still until it is advanced; call it for the time, which has its UTC offset."""

    def __init__(self, start: datetime = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)) -> None:
        if start.tzinfo is None:
            raise InvalidValue(
                "FakeClock.start was refused", f"expected a time with its UTC offset, found {start}."
            )
        self._now = start

    def __call__(self) -> datetime:
        """The time now."""
        return self._now

    def advance(self, by: timedelta) -> datetime:
        """Turn the clock forward and return the time it then shows."""
        if by < timedelta(0):
            raise InvalidValue("FakeClock.advance was refused", f"expected a time forward, found {by}.")
        self._now += by
        return self._now
