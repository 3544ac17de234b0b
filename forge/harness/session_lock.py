"""A session is gone on with by one process at a time.

Two would write one transcript, and neither would read what the other was told.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import HarnessError
from ..storage import REAL_DISK
from .transcript import transcript_path


@contextmanager
def session_lock(workspace: str | Path, session_id: str) -> Iterator[None]:
    """Hold the session's lock, or `HarnessError` at once when another process has it. A kill frees it."""
    lock = transcript_path(workspace, session_id).with_name("lock")
    REAL_DISK.make_folder(lock.parent)
    with suppress(FileExistsError):
        REAL_DISK.create(lock, b"")
    try:
        held = REAL_DISK.lock(lock, wait=False)
        held.__enter__()
    except BlockingIOError:
        raise HarnessError(
            "a session is open elsewhere",
            f"{session_id} has another process.",
            "End that one, or name another session.",
        ) from None
    try:
        yield
    finally:
        held.__exit__(None, None, None)
