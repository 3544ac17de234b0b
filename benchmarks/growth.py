"""What a longer run costs: twice the events must cost about twice the time and the bytes, and no more.

    python benchmarks/growth.py

For each length n it measures n and 2n events. Time is processor time, so that it is the work that is compared
and not what else the machine does; what waiting for the disk costs, benchmarks/journal.py says.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns, process_time

from forge.history import History
from forge.replay import EventJournal
from forge.state import RunEvent, apply_event

LENGTHS = (1_000, 10_000, 100_000)
MOST = 2.2


def event(number: int) -> RunEvent:
    kind, payload = "step_started", {"step": f"feature {number:07}: let the reader search"}
    if number == 1:
        kind, payload = "run_created", {}
    return RunEvent(event_id=f"e{number:07}", run_id="run-1", sequence=number, kind=kind, payload=payload)


def seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def append_all(path: Path, events: list[RunEvent]) -> None:
    journal = EventJournal(path, fsync_every=len(events))
    for one in events:
        journal.append(one)


def costs(folder: Path, count: int) -> dict[str, float]:
    """Seconds, and bytes, of a journal of `count` events."""
    path, events = (
        folder / f"{count}-{perf_counter_ns()}.jsonl",
        [event(number) for number in range(1, count + 1)],
    )
    found = {"append": seconds(lambda: append_all(path, events))}
    return found | {
        "bytes": float(path.stat().st_size),
        "verify": seconds(EventJournal(path).anchor),
        "read": seconds(EventJournal(path).read_events),
        "replay": seconds(EventJournal(path).replay),
        "history": seconds(lambda: History(events, apply_event)),
    }


def cheapest(folder: Path, counts: tuple[int, int]) -> tuple[dict[str, float], dict[str, float]]:
    """The lowest costs of several runs of each length, taking turns."""
    runs: dict[int, list[dict[str, float]]] = {count: [] for count in counts}
    for _ in range(3 if counts[0] >= 100_000 else 9):
        for count in counts:
            runs[count].append(costs(folder, count))
    low, high = ({what: min(run[what] for run in runs[count]) for what in runs[count][0]} for count in counts)
    return low, high


def main() -> None:
    grown = []
    with tempfile.TemporaryDirectory() as name:
        for count in LENGTHS:
            once, twice = cheapest(Path(name), (count, 2 * count))
            print(f"\nfrom {count:,} to {2 * count:,} events")
            for what, cost in once.items():
                factor = twice[what] / cost
                unit = (
                    f"{cost / count:8.1f} bytes each"
                    if what == "bytes"
                    else f"{cost / count * 1e6:8.2f} µs each"
                )
                print(
                    f"  {'✓' if factor <= MOST else '✗'} {what:<8} {unit:<18} × {factor:.2f} (at most {MOST})"
                )
                grown.append(factor <= MOST)
    sys.exit(0 if all(grown) else 1)


if __name__ == "__main__":
    main()
