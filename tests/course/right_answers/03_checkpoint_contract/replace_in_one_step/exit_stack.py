# What has to be undone is put on a stack, and taken off when all went well.
import secrets
from contextlib import ExitStack, suppress
from pathlib import Path

from forge.storage import REAL_DISK, Disk, remove_litter


def atomic_replace(path: str | Path, data: bytes, *, disk: Disk = REAL_DISK) -> None:
    path = Path(path)
    disk.make_folder(path.parent)
    remove_litter(path, disk)
    new = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    def clean():
        with suppress(OSError):
            disk.remove(new)

    with ExitStack() as undo:
        undo.callback(clean)
        disk.create(new, b"")
        with disk.lock(new):
            disk.append(new, data)
            disk.sync(new)
            disk.rename(new, path)
        undo.pop_all()
    disk.sync_folder(path.parent)
