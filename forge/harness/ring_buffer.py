"""The last events, numbered: a reader that was away catches up, or learns how many it has missed."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any, NamedTuple

from ..errors import InvalidValue


class Missed(NamedTuple):
    """What came after a number: the events, the number of the last one, and how many are lost between."""

    events: list[dict[str, Any]]
    last: int
    lost: int


class RingBuffer:
    """Keeps the last `capacity` events in memory, however many there were. Threads may share it."""

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise InvalidValue("capacity was refused", f"expected a number of at least 1, found {capacity}.")
        self._events: deque[dict[str, Any]] = deque(maxlen=capacity)
        self._last = 0
        self._turn = threading.Lock()

    def add(self, event: dict[str, Any]) -> int:
        """Add an event, and return its number, from 1."""
        with self._turn:
            self._last += 1
            self._events.append(event)
            return self._last

    def after(self, number: int) -> Missed:
        """What came after event `number`; 0 for everything that is still here."""
        with self._turn:
            first = self._last - len(self._events) + 1
            start = max(number + 1, first)
            kept = list(self._events)[start - first :] if start <= self._last else []
            return Missed(kept, self._last, max(0, min(start, self._last + 1) - number - 1))
