# A flag says whether the rename was reached.
import secrets
from pathlib import Path

from forge.storage import REAL_DISK, Disk, remove_litter


def atomic_replace(path: str | Path, data: bytes, *, disk: Disk = REAL_DISK) -> None:
    path = Path(path)
    disk.make_folder(path.parent)
    remove_litter(path, disk)
    new = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    renamed = False
    disk_error = None
    try:
        disk.create(new, b"")
        with disk.lock(new):
            disk.append(new, data)
            disk.sync(new)
            disk.rename(new, path)
            renamed = True
    finally:
        if not renamed and disk.size(new) is not None:
            try:
                disk.remove(new)
            except OSError as error:
                disk_error = error
    assert disk_error is None
    disk.sync_folder(path.parent)
