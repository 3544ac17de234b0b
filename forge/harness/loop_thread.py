"""Coroutines for a caller that has a loop of its own: JupyterLab runs one in every kernel.

They run in a thread with its own event loop, and the caller waits for their results.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import TimeoutError as NotInTime
from typing import Any, TypeVar

from ..database import Closing
from ..errors import PeerLost

T = TypeVar("T")


class LoopThread(Closing):
    """A thread that runs coroutines until it is closed."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="forge-loop", daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T], seconds: float = 30.0) -> T:
        """The result of the coroutine, or what it raised. `PeerLost` when it takes longer than `seconds`."""
        if not self._thread.is_alive():
            coroutine.close()
            raise PeerLost("the thread of the loop has ended", "it was closed.", peer="loop")
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result(seconds)
        except NotInTime:
            future.cancel()
            raise PeerLost("no answer in time", f"waited {seconds:g} seconds.", peer="loop") from None

    def close(self) -> None:
        """End the thread; again is no error."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
