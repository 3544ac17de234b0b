"""Locks on a path, between processes and between threads: what `RealDisk.lock` is made of.

The lock is `flock` on the file itself, so there is no lock file to leave behind, and a crash frees it. A file
that was renamed or removed while its lock was awaited is opened again. A lock within the process stands
before it, for systems whose file locks do not hold between threads.

Windows has no `flock` and cannot rename an open file: there a file in the temporary folder, named after the
path, is locked with `msvcrt`. Where neither exists (Python in a browser) there is no second process.
"""

from __future__ import annotations

import errno
import os
import tempfile
import threading
import time
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from .chain import sha256
from .errors import StorageError

fcntl: Any
msvcrt: Any
try:
    import fcntl
except ImportError:
    fcntl = None
try:
    import msvcrt
except ImportError:
    msvcrt = None


def locks_the_file() -> bool:
    """Whether what `acquire` returns is a descriptor of the file itself, and not of a stand-in."""
    return fcntl is not None


def acquire(path: Path, shared: bool, wait: bool, left_open: int | None = None) -> int | None:
    """Wait for the lock of `path` and return what `unlock` takes; see `Disk.lock`.

    `left_open` is a descriptor of the file from the last time: it is used if the path still names that file,
    else closed.
    """
    if not locks_the_file():
        return _acquire_stand_in(path, wait) if msvcrt else None
    flags = os.O_RDONLY if shared else os.O_RDWR | os.O_APPEND | (os.O_CREAT if wait else 0)
    how = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB)
    while True:
        descriptor, left_open = os.open(path, flags, 0o666) if left_open is None else left_open, None
        try:
            fcntl.flock(descriptor, how)
            if _names(path, descriptor):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # the path names another file by now


def _names(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))  # noqa: PTH116  an append waits for it
    except FileNotFoundError:
        return False


def _acquire_stand_in(path: Path, wait: bool) -> int:
    folder = Path(tempfile.gettempdir(), "forge-locks")
    folder.mkdir(exist_ok=True)
    descriptor = os.open(folder / sha256(os.fsencode(path.resolve())), os.O_RDWR | os.O_CREAT)
    while True:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            return descriptor
        except OSError:
            if not wait:
                os.close(descriptor)
                raise BlockingIOError(errno.EAGAIN, "the lock is held") from None
        time.sleep(0.005)


def unlock(descriptor: int) -> None:
    """Let go of a lock; the descriptor stays open."""
    if fcntl:  # said aloud, because a forked child may still have the file open
        fcntl.flock(descriptor, fcntl.LOCK_UN)


class Gate:
    """A lock between threads that knows its owner."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = 0

    def enter(self, path: Path, *, wait: bool) -> None:
        """Take the lock; a thread that has it already is told so, for it would wait for ever."""
        if wait and self._owner == threading.get_ident():
            raise StorageError(
                "the lock is already held",
                f"this thread asked a second time for the lock of {path}.",
                "Let go of it first.",
                path=str(path),
                operation="lock",
            )
        if not self._lock.acquire(blocking=wait):
            raise BlockingIOError(errno.EAGAIN, "another thread holds the lock", str(path))
        self._owner = threading.get_ident()

    def leave(self) -> None:
        """Let go of the lock."""
        self._owner = 0
        self._lock.release()


_gates: WeakValueDictionary[str, Gate] = WeakValueDictionary()
_gates_guard = threading.Lock()


def gate(path: Path) -> Gate:
    """The gate of `path`, the same for every way to write it."""
    name = os.fspath(path)
    if not name.startswith("/") or "/.." in name:
        name = os.path.abspath(name)  # noqa: PTH100  Path.absolute keeps ".."
    with _gates_guard:
        return _gates.get(name) or _gates.setdefault(name, Gate())


def _forget_gates() -> None:
    # The threads that held these locks do not exist in a forked child.
    global _gates_guard
    _gates_guard = threading.Lock()
    _gates.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_gates)


class LeftOpen:
    """A descriptor that is closed when nobody wants it any more."""

    def __init__(self, path: Path, descriptor: int, its_gate: Gate) -> None:
        self.path, self.process, self._descriptor = path, os.getpid(), descriptor
        self._gate = its_gate  # lives as long, so that the next lock finds it made

    def taken(self) -> int:
        """The descriptor, which the caller closes from now on."""
        descriptor, self._descriptor = self._descriptor, -1
        return descriptor

    def __del__(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)


class Held(threading.local):
    """The descriptors of the locks that a thread holds alone, and the one it let go of last, still open.

    Opening a file takes a third of the time that a log needs for a record, next to the sync: who writes the
    same file again finds it open. Whether the path still names that file, `acquire` looks every time.
    """

    def __init__(self) -> None:
        self.by_path: dict[Path, int] = {}
        self.last: LeftOpen | None = None

    def take(self, path: Path) -> int | None:
        """The descriptor of the path that was left open; a forked child has none, for it shares the lock."""
        last, self.last = self.last, None
        return last.taken() if last and last.path == path and last.process == os.getpid() else None

    def forget(self, path: Path) -> None:
        """The path names another file from now on, or none."""
        self.by_path.pop(path, None)
