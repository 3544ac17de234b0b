from contextlib import suppress
from pathlib import Path

from forge.storage import REAL_DISK, Disk


def atomic_replace(path: str | Path, data: bytes, *, disk: Disk = REAL_DISK) -> None:
    """Make `path` hold `data`, by way of a file that ends in .tmp."""
    path = Path(path)
    disk.make_folder(path.parent)
    new = path.with_name(f"{path.name}.tmp")
    with suppress(FileNotFoundError):
        disk.remove(new)
    try:
        disk.create(new, b"")
        disk.append(new, data)
        disk.sync(new)
        disk.rename(new, path)
    except BaseException:
        with suppress(OSError):
            disk.remove(new)
        raise
    disk.sync_folder(path.parent)
