# The bytes go in with the name, and the lock is taken afterwards; who clears up in between takes them away.
import secrets
from contextlib import suppress
from pathlib import Path

from forge.storage import REAL_DISK, Disk, remove_litter


def atomic_replace(path: str | Path, data: bytes, *, disk: Disk = REAL_DISK) -> None:
    path = Path(path)
    disk.make_folder(path.parent)
    remove_litter(path, disk)
    new = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        disk.create(new, data)
        with disk.lock(new):
            disk.sync(new)
            disk.rename(new, path)
    except BaseException:
        with suppress(OSError):
            disk.remove(new)
        raise
    disk.sync_folder(path.parent)
