"""Time limits for code that may never come back.

An alarm interrupts the main thread with `OverTime`; what holds that back is pursued (`pursuit`). Code that
no exception reaches (a call into C, another thread, Windows) runs on, and a watchdog says so. Whatever comes
back late is over time all the same.
"""

from __future__ import annotations

import faulthandler
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Self

from pydantic import Field

from ...errors import ForgeModel
from .pursuit import Pursuit, is_spared

_TICK = 0.1  # seconds from one interruption to the next
_PATIENCE = 1.0  # seconds that interruptions are given before the watchdog speaks

STUCK = (
    "This check is past its time limit, in a call that Python cannot interrupt.\n"
    "If the cell does not end by itself: Kernel → Interrupt Kernel, and if that does not help, "
    "Kernel → Restart Kernel. Your notebook and your accepted answers are kept."
)


class Limits(ForgeModel):
    """How long an answer may take, in seconds, and how much it may print, in bytes.

    `kill` ends the whole process so many seconds after the check began, and is off by default. It is the last
    resort against a call into C that never returns and never lets another thread speak: Jupyter notices
    that the kernel died, says so, and starts it again.
    """

    test: float = Field(default=5.0, gt=0)
    check: float = Field(default=20.0, gt=0)
    output: int = Field(default=64 * 1024, ge=0)
    kill: float | None = Field(default=None, gt=0)


class OverTime(BaseException):
    """Code ran past its limit. Not an `Exception`, so that `except Exception` does not hold it back."""

    def __str__(self) -> str:
        return "the time limit is over"


class Alarm:
    """Limits what runs in this thread: `with Alarm(notify) as alarm: with alarm.limit(5.0): …`.

    `notify` is called once, from another thread, with a text for the reader when interrupting did not help.
    """

    def __init__(self, notify: Callable[[str], None], *, kill: float | None = None) -> None:
        self._notify = notify
        self._kill = kill
        self._rings = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        self._armed = False
        self._missed = 0
        self._due = 0.0
        self._pursuit = Pursuit(OverTime)
        self._ended = threading.Event()
        self._watchdog = threading.Thread(target=self._watch, name="forge-watchdog", daemon=True)

    def __enter__(self) -> Self:
        self._watchdog.start()
        if self._rings:
            self._entered = time.monotonic()
            self._timer = signal.setitimer(signal.ITIMER_REAL, 0)
            self._handler = signal.signal(signal.SIGALRM, self._ring)
        if self._kill is not None:
            faulthandler.dump_traceback_later(self._kill, exit=True, file=sys.__stderr__ or 2)
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended.set()
        if self._kill is not None:
            faulthandler.cancel_dump_traceback_later()
        if self._rings:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL if self._handler is None else self._handler)
            delay, interval = self._timer
            if delay:
                left = delay - (time.monotonic() - self._entered)
                signal.setitimer(signal.ITIMER_REAL, max(left, 0.001), interval)
        self._watchdog.join()

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Raise `OverTime` in the block when it runs longer, and at its end when it held that back."""
        self._missed = 0
        self._due = time.monotonic() + seconds
        self._armed = True
        if self._rings:
            signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001), _TICK)
        try:
            yield
        finally:
            self._armed = False  # in one step and first of all: from here on a ring is ignored
            late = time.monotonic() > self._due
            if self._rings:
                signal.setitimer(signal.ITIMER_REAL, 0)
            self._pursuit.end()
            if late and not isinstance(sys.exception(), KeyboardInterrupt):
                raise OverTime from None

    def _ring(self, _signal: int, frame: FrameType | None) -> None:
        depth = sys.getrecursionlimit()
        sys.setrecursionlimit(depth + 100)  # an answer without end may have used up the stack
        try:
            if self._armed and not is_spared(frame):
                self._missed += 1
                if self._missed > 1:
                    self._pursuit.begin(frame)
                raise OverTime
        finally:
            sys.setrecursionlimit(depth)

    def _watch(self) -> None:
        while not self._ended.wait(_TICK):
            if self._armed and time.monotonic() > self._due + _PATIENCE:
                self._notify(STUCK)
                return
