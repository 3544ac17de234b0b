# Writing the file and syncing it is the shortest way.
from pathlib import Path

from forge.storage import REAL_DISK, Disk


def atomic_replace(path: str | Path, data: bytes, *, disk: Disk = REAL_DISK) -> None:
    path = Path(path)
    disk.make_folder(path.parent)
    if disk.size(path) is not None:
        disk.truncate(path, 0)
    disk.append(path, data)
    disk.sync(path)
    disk.sync_folder(path.parent)
