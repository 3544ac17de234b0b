"""Temporary folders of a batch, which are removed also when the command that made them was killed."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ..storage import REAL_DISK

_PREFIX = "forge-batch-"
_LOCK = ".lock"


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A temporary folder that everybody may read. Those whose command is gone are removed first."""
    _remove_litter(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with REAL_DISK.lock(folder / _LOCK):
            folder.chmod(0o755)
            yield folder


def _remove_litter(place: Path) -> None:
    """The lock of a command that is gone is free; a folder without a lock is one that begins just now."""
    for folder in place.glob(f"{_PREFIX}*"):
        with (
            contextlib.suppress(OSError),
            REAL_DISK.lock(folder / _LOCK, wait=False),
        ):
            shutil.rmtree(folder, ignore_errors=True)
