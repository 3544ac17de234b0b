"""Get an exception out of code that catches everything and goes on, like a loop around a bare `except:`.

Raised once, the exception lands inside the loop's `try`. So it is raised again at every line that the
functions on the stack reach: the next line after a caught exception is a line of the handler, outside of
the `try`, and there it gets through.
"""

from __future__ import annotations

import ctypes
import functools
import signal
import sys
import threading
from types import CodeType, FrameType
from typing import Any

_RUNNERS = ("pluggy", "_pytest", "forge.course.checking.check")
"""What runs the answer: the pursuit ends at its first frame."""

_SPARED = (*_RUNNERS, "forge.course", "contextlib")
"""What cleans up after the answer, and has nothing endless of its own."""


def is_spared(frame: FrameType | None) -> bool:
    """Whether no exception may be raised in this frame, because it would be left half cleaned up."""
    return frame is None or _module(frame).startswith(_SPARED)


def _pursued(frame: FrameType | None) -> list[FrameType]:
    frames = []
    while frame is not None and not _module(frame).startswith(_RUNNERS):
        if not is_spared(frame):
            frames.append(frame)
        frame = frame.f_back
    return frames


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


if sys.version_info >= (3, 12):

    class Pursuit:
        """Raises `error` in this thread at every line of the functions that were on the stack."""

        def __init__(self, error: type[BaseException]) -> None:
            self._error = error
            self._thread = threading.get_ident()
            self._codes: set[CodeType] = set()
            self._tool = -1

        def begin(self, frame: FrameType | None) -> None:
            """Pursue the functions from `frame` outwards; may be called again while they run."""
            if self._tool < 0:
                free = [tool for tool in (4, 3) if sys.monitoring.get_tool(tool) is None]
                if not free:
                    return
                self._tool = free[0]
                sys.monitoring.use_tool_id(self._tool, "forge.course")
                sys.monitoring.register_callback(self._tool, sys.monitoring.events.LINE, self._line)
            for running in _pursued(frame):
                self._codes.add(running.f_code)
                sys.monitoring.set_local_events(self._tool, running.f_code, sys.monitoring.events.LINE)

        def end(self) -> None:
            """Stop, and leave nothing behind."""
            if self._tool < 0:
                return
            for code in self._codes:
                sys.monitoring.set_local_events(self._tool, code, 0)
            sys.monitoring.register_callback(self._tool, sys.monitoring.events.LINE, None)
            sys.monitoring.free_tool_id(self._tool)
            self._codes.clear()
            self._tool = -1

        def _line(self, _code: CodeType, _line: int) -> None:
            if threading.get_ident() == self._thread:
                raise self._error

else:

    class Pursuit:
        """Raises `error` in this thread soon after every line of the functions that were on the stack.

        Python 3.11 drops a trace function that raises. This one is written in C, so it cannot be interrupted
        itself, and sets off the alarm's signal: whoever handles SIGALRM raises the error.
        """

        def __init__(self, _error: type[BaseException]) -> None:
            self._frames: list[FrameType] = []
            self._trace: Any = None

        def begin(self, frame: FrameType | None) -> None:
            """Pursue the functions from `frame` outwards; may be called again while they run."""
            if not self._frames:
                self._trace = sys.gettrace()
            signature = ctypes.PYFUNCTYPE(None, ctypes.c_int, *[ctypes.py_object] * 3)
            # The three arguments of a trace function follow the signal's number, and are not looked at.
            ring = functools.partial(
                signature(("PyErr_SetInterruptEx", ctypes.pythonapi)), int(signal.SIGALRM)
            )
            # Without a trace function of the thread Python does not call those of the frames.
            sys.settrace(lambda _frame, _event, _value: None)
            for running in _pursued(frame):
                running.f_trace = ring
                self._frames.append(running)

        def end(self) -> None:
            """Stop, and leave nothing behind."""
            if self._frames:
                sys.settrace(self._trace)
                for frame in self._frames:
                    frame.f_trace = None
                self._frames.clear()
