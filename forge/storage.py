# ruff: noqa: D102  (`Disk` says what each operation does)
"""Every effect on the file system: the `Disk` port, the real disk, and writing that survives a crash.

A program that is killed while it writes leaves what the system had got round to. Three rules make that
harmless, and this is the one place that follows them:

* Bytes are safe once the file is synced; a name is safe once its folder is synced. Until then a power cut may
  keep them, lose them or cut them anywhere.
* A whole file is replaced by writing a new one beside it and renaming it: `atomic_replace`.
* A line is added in one write, under a lock, and taken back if it did not fit: `durable_append`.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Protocol, TypeVar

from .errors import StorageError
from .locks import Held, LeftOpen, acquire, fcntl, gate, locks_the_file, unlock

Names = list[str]
_T = TypeVar("_T")


class Disk(Protocol):
    """What forge does to files. Every path is a `Path`; offsets and sizes are in bytes.

    A missing file raises `FileNotFoundError`, a file in the way `FileExistsError`; anything else that goes
    wrong raises `StorageError`, which says which operation, on which path, and what to do.
    """

    def read(self, path: Path, offset: int = 0, size: int | None = None) -> bytes:
        """The bytes from `offset` on, at most `size` of them, fewer at the end of the file."""

    def size(self, path: Path) -> int | None:
        """The length of the file; None when there is none."""

    def list(self, folder: Path) -> Names:
        """The names in the folder, sorted."""

    def create(self, path: Path, data: bytes) -> None:
        """Make a new file that holds `data`; never touch one that exists."""

    def append(self, path: Path, data: bytes) -> None:
        """Add `data` at the end, in one write; the file is made when missing."""

    def truncate(self, path: Path, size: int) -> None:
        """Cut the file to `size` bytes."""

    def sync(self, path: Path) -> None:
        """Return when the file's bytes are on the device."""

    def rename(self, source: Path, target: Path) -> None:
        """Give `source` the name `target`, in one step, replacing what had it."""

    def remove(self, path: Path) -> None:
        """Remove the file."""

    def make_folder(self, path: Path) -> None:
        """Make the folder and those above it, durably; nothing when it exists."""

    def sync_folder(self, path: Path) -> None:
        """Return when the names in the folder are on the device."""

    def lock(self, path: Path, *, shared: bool = False, wait: bool = True) -> AbstractContextManager[None]:
        """Hold the file's lock: alone, or `shared` with others that ask for it shared.

        Waiting for it alone makes a missing file, empty. Shared, or with `wait=False`, a missing file raises
        `FileNotFoundError`; with `wait=False` a lock that is held raises `BlockingIOError`.
        """


def storage_error(operation: str, path: Path, error: OSError) -> StorageError:
    """The `StorageError` that tells `error` to a person. Evidence: path, operation, errno."""
    told = StorageError(
        "the disk refused",
        f"cannot {operation} {path}: {error.strerror or error}.",
        _WHAT_TO_DO.get(error.errno or 0, "Check the path, then do it again."),
        path=str(path),
        operation=operation,
        errno=error.errno,
    )
    told.errno, told.strerror, told.filename = error.errno, error.strerror, str(path)
    return told


_WHAT_TO_DO = {
    errno.ENOSPC: "Make room on the disk, then do it again.",
    errno.EACCES: "Check that you may write there.",
    errno.EROFS: "Use a folder that can be written to.",
    errno.EIO: "The device is failing: copy its files to another one first.",
}


def _told(operation: str, path: Path, work: Callable[..., _T], *args: object) -> _T:
    """What `work` gives; its errors become those that `Disk` promises."""
    try:
        return work(*args)
    except (StorageError, FileNotFoundError, FileExistsError, BlockingIOError):
        raise
    except OSError as error:
        raise storage_error(operation, path, error) from error


class RealDisk:
    """The file system of this machine; see `Disk`.

    A thread that holds a file alone works on it through the lock's descriptor: it is opened only once.
    """

    def __init__(self) -> None:
        self._held = Held()

    def read(self, path: Path, offset: int = 0, size: int | None = None) -> bytes:
        return self._on("read", path, os.O_RDONLY, _read, offset, size)

    def size(self, path: Path) -> int | None:
        with suppress(FileNotFoundError):
            return _told("read", path, os.stat, self._held.by_path.get(path, path)).st_size
        return None

    def list(self, folder: Path) -> Names:
        return sorted(_told("list", folder, os.listdir, folder))

    def create(self, path: Path, data: bytes) -> None:
        self._on("create", path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _write, data)

    def append(self, path: Path, data: bytes) -> None:
        self._on("append to", path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _write, data)

    def truncate(self, path: Path, size: int) -> None:
        _told("truncate", path, os.truncate, path, size)

    def sync(self, path: Path) -> None:
        self._on("sync", path, os.O_RDWR, _flush)

    def rename(self, source: Path, target: Path) -> None:
        _told("rename", source, source.replace, target)
        self._held.forget(source)

    def remove(self, path: Path) -> None:
        _told("remove", path, path.unlink)
        self._held.forget(path)

    def make_folder(self, path: Path) -> None:
        for folder in _told("make", path, _make_folder, path):
            self.sync_folder(folder.parent)

    def sync_folder(self, path: Path) -> None:
        if os.name != "nt":  # Windows cannot, and needs no telling
            self._on("sync", path, os.O_RDONLY, _flush_folder)

    def lock(self, path: Path, *, shared: bool = False, wait: bool = True) -> AbstractContextManager[None]:
        return _FileLock(path, shared, wait, self._held)

    def _on(self, operation: str, path: Path, flags: int, work: Callable[..., _T], *args: object) -> _T:
        """What `work` gives for a descriptor of the file."""
        held = self._held.by_path.get(path)
        if held is None or flags & os.O_EXCL:
            return _told(operation, path, lambda: _opened(path, flags, work, *args))
        return _told(operation, path, work, held, *args)


class _FileLock(AbstractContextManager[None]):
    # A class and not a generator, which every append would wait for.
    def __init__(self, path: Path, shared: bool, wait: bool, held: Held) -> None:
        self._path, self._shared, self._wait, self._held = path, shared, wait, held
        self._alone = not shared and locks_the_file()

    def __enter__(self) -> None:
        self._gate = gate(self._path)
        self._gate.enter(self._path, wait=self._wait)
        try:
            left_open = self._held.take(self._path) if self._alone else None
            wanted = self._path, self._shared, self._wait, left_open
            self._descriptor = _told("lock", self._path, acquire, *wanted)
        except BaseException:
            self._gate.leave()
            raise
        if self._descriptor is not None and self._alone:
            self._held.by_path[self._path] = self._descriptor

    def __exit__(self, *_: object) -> None:
        try:
            if self._descriptor is not None:
                left = LeftOpen(self._path, self._descriptor, self._gate)
                unlock(self._descriptor)
                own = self._held.by_path.pop(self._path, None) is not None
                self._held.last = left if own else None
        finally:
            self._gate.leave()


REAL_DISK = RealDisk()


def atomic_replace(path: str | os.PathLike[str], data: bytes, *, disk: Disk = REAL_DISK) -> None:
    """Make `path` hold `data`, durably; at every moment it holds the old bytes or the new ones, whole.

    A failure leaves the old file and nothing beside it. A crash can leave a temporary file,
    `.<name>.<random>.tmp`; the next replacement of the same path removes it. (Its writer held its lock, and
    the lock of a writer that is gone is free.) A symbolic link at `path` is replaced, not followed.
    """
    path = Path(path)
    disk.make_folder(path.parent)
    remove_litter(path, disk)
    new = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        disk.create(new, b"")
        with disk.lock(new):
            disk.append(new, data)
            disk.sync(new)
            disk.rename(new, path)
    except BaseException:
        with suppress(OSError):
            disk.remove(new)
        raise
    disk.sync_folder(path.parent)


def remove_litter(path: Path, disk: Disk) -> None:
    """Remove the temporary files of `path` whose writer is gone."""
    for name in disk.list(path.parent):
        if re.fullmatch(rf"\.{re.escape(path.name)}\.[0-9a-f]{{16}}\.tmp", name):
            left = path.with_name(name)
            with suppress(FileNotFoundError, BlockingIOError), disk.lock(left, wait=False):
                disk.remove(left)


def durable_append(path: str | os.PathLike[str], data: bytes, *, disk: Disk = REAL_DISK) -> None:
    """Add `data` at the end of `path` and return when it is on the device; all of it, or nothing."""
    path = Path(path)
    disk.make_folder(path.parent)
    with disk.lock(path):
        disk.sync_folder(path.parent)
        extend(path, data, disk.size(path) or 0, disk=disk)


def extend(path: Path, data: bytes, before: int, *, disk: Disk, sync: bool = True) -> None:
    """Add `data` in one write to the `before` bytes of `path`, or leave them as they were, under its lock.

    Should the disk refuse the way back as well, a part of `data` stays behind: the torn tail of a log.
    """
    try:
        disk.append(path, data)
        if sync:
            disk.sync(path)
    except OSError:
        with suppress(OSError):
            disk.truncate(path, before)
        raise


def _opened(path: Path, flags: int, work: Callable[..., _T], *args: object) -> _T:
    descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0), 0o666)
    try:
        return work(descriptor, *args)
    finally:
        os.close(descriptor)


def _make_folder(path: Path) -> Sequence[Path]:
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(parents=True, exist_ok=True)
    return missing


def _read(descriptor: int, offset: int, size: int | None) -> bytes:
    if size is None:
        size = max(0, os.fstat(descriptor).st_size - offset)
    if hasattr(os, "pread"):
        return os.pread(descriptor, size, offset)
    os.lseek(descriptor, offset, os.SEEK_SET)  # Windows has no pread
    return os.read(descriptor, size)


def _write(descriptor: int, data: bytes) -> None:
    written = os.write(descriptor, data) if data else 0
    if written < len(data):
        raise OSError(errno.ENOSPC, f"only {written} of {len(data)} bytes fitted")


def _flush(descriptor: int) -> None:
    if hasattr(fcntl, "F_FULLFSYNC"):  # on macOS fsync stops at the drive's cache (man 2 fsync)
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        getattr(os, "fdatasync", os.fsync)(descriptor)


def _flush_folder(descriptor: int) -> None:
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some network and container file systems do not know how to sync a folder, and say so.
        if error.errno != errno.EINVAL:
            raise
