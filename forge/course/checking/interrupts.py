"""Hold the user's interrupt back where it would leave something half done."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

_OWN = "forge.course"


def at_work(frame: FrameType | None) -> bool:
    """Whether the course itself is at work: setting something up, or putting it back.

    The first frame outside the standard library decides: `os.environ.clear()` may be a part of either.
    """
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module.partition(".")[0] not in sys.stdlib_module_names:
            return module.startswith(_OWN)
        frame = frame.f_back
    return False


class uninterrupted:  # noqa: N801  used like a function
    """Hold the user's interrupt back while the block runs, or only where `holds` says so of a frame.

    It is passed on when the block has ended. Interrupts come to the main thread only.
    """

    def __init__(self, holds: Callable[[FrameType | None], bool] = lambda _frame: True) -> None:
        self._holds = holds
        self._held: tuple[int, FrameType | None] | None = None
        self._before: Any = None

    def __enter__(self) -> None:
        before = signal.getsignal(signal.SIGINT)
        if callable(before) and threading.current_thread() is threading.main_thread():
            self._before = before
            signal.signal(signal.SIGINT, self._receive)

    def __exit__(self, *_error: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            if self._held is not None:
                self._before(*self._held)

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if self._holds(frame):
            self._held = (number, frame)
        else:
            self._before(number, frame)
