"""A version memory of 10,000 events: is the last append as quick as the first, and an old view as a new one?

    python benchmarks/versions.py

Two histories, one of many documents in a few versions each, one of few documents in thousands. Everything is
timed by the clock, as whoever waits would. The first thousand events of one file and the last thousand of
another are appended in turns, so that what slows the machine for a while slows both.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from forge.history import History
from forge.timeline import Rectangle, Timeline
from forge.versions import Event, Repository, import_document, named, now_active, spans

EVENTS, TIMED, ASKED = 10_000, 1_000, 400
MOST_GROWTH, MOST_SECONDS = 1.5, 0.020


def history(documents: int) -> list[Event]:
    """Imports, spread over some documents; of every fourth the days are given."""
    choose, versions = random.Random(1), dict[str, int]()
    events: list[Event] = []
    for number in range(EVENTS):
        doc_id = f"document {choose.randrange(documents)}"
        versions[doc_id] = versions.get(doc_id, 0) + 1
        days = {"effective_from": "2026-10-13", "effective_until": "2026-10-16"} if number % 4 == 0 else {}
        text = f"- fact {number}: what holds from now on, in a line of the usual length"
        events.append(import_document(doc_id, versions[doc_id], "A document", text, **days))
    return events


def seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def measure(documents: int, *, durable: bool) -> list[tuple[str, str, bool]]:
    """What was measured, in words, and whether it is as it should be."""
    choose, events = random.Random(2), history(documents)
    with tempfile.TemporaryDirectory() as folder:
        new, old = Path(folder) / "new.sqlite", Path(folder) / "old.sqlite"
        with Repository(old, durable=False) as filling:
            for event in events[:-TIMED]:
                filling.append(event)
        with Repository(new, durable=durable) as short, Repository(old, durable=durable) as long:
            pairs = [
                (seconds(lambda: short.append(one)), seconds(lambda: long.append(other)))  # noqa: B023
                for one, other in zip(events[:TIMED], events[-TIMED:], strict=True)
            ]
            views = [seconds(lambda: long.replay(choose.randrange(EVENTS))) for _ in range(ASKED)]
            full = seconds(long.replay)
        opening = seconds(lambda: Repository(old).close())
        size = old.stat().st_size
    firsts, lasts = zip(*pairs, strict=True)
    first, last, p95 = median(firsts), median(lasts), quantiles(views, n=20)[-1]
    growth = last / first
    return [
        (
            f"append: {first * 1e3:.2f} ms at first, {last * 1e3:.2f} ms at last, {growth:.2f} times",
            f"≤ {MOST_GROWTH}",
            growth <= MOST_GROWTH,
        ),
        (f"an earlier prefix: p95 {p95 * 1e3:.1f} ms", f"≤ {MOST_SECONDS * 1e3:.0f} ms", p95 <= MOST_SECONDS),
        (
            f"a full replay {full:.2f} s, opening {opening:.2f} s, {size / EVENTS:,.0f} bytes an event",
            "",
            True,
        ),
    ]


def shown() -> str:
    """How long the timeline of such a history takes, and what it sends."""
    events = history(100)
    made: list[Timeline] = []
    took = seconds(
        lambda: made.append(
            Timeline(
                History(events, now_active, describe=named),
                dates=[Rectangle(*span) for span in spans(events)],
            )
        )
    )
    sent = sum(len(page) for page in made[0].pages.values()) + len(made[0].dates)
    return f"a timeline of both axes: {took:.2f} s to make, {sent / 1000:,.0f} kB to open"


def main() -> int:
    kept = True
    for documents in (3_000, 5):
        for durable in (True, False):
            print(f"{EVENTS:,} events, {documents:,} documents, {'durable' if durable else 'without a sync'}")
            for said, limit, good in measure(documents, durable=durable):
                kept = kept and good
                print(f"  {'✓' if good else '✗'} {said}{f'   (wanted {limit})' if limit else ''}")
    print(shown())
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
