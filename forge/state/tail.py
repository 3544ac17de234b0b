"""The tail of a run, read in pages: every event after a checkpoint, once and in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import TailGap
from .models import RunEvent

ReadPage = Callable[[int, int], Sequence[RunEvent]]
"""Given a number and a limit: the events from that number on, at most so many, none only after the last."""


def tail_from_pages(read_page: ReadPage, version: int, *, size: int = 1_000) -> list[RunEvent]:
    """Every event after event `version`, asked for in pages of at most `size` events.

    Only an empty page is the end. A store may give fewer events than it was asked for and still have more,
    and a full page may be the last one. `TailGap` for a page that does not start where it was asked to.
    """
    tail: list[RunEvent] = []
    start = version + 1
    while page := read_page(start, size):
        if page[0].sequence != start:
            raise TailGap(
                "a page must start with the event that was asked for",
                f"the page from event {start} on starts with event {page[0].sequence}.",
                f"Read the tail again from {version + 1}.",
                expected=start,
                found=page[0].sequence,
            )
        tail += page
        start = page[-1].sequence + 1
    return tail
