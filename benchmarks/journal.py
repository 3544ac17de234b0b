"""The journal beside two packages that keep an agent's state, and beside the limit of the machine.

    python benchmarks/journal.py            # the peers: pip install "forge-workbook[bench]"

Everybody keeps the same events, one transaction or one synced write for each. All take turns, so that what
slows the machine for a while slows everybody. Appends are timed by the clock; verification and replay, which
wait for nothing, by processor time, the best of several runs.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import random
import sqlite3
import statistics
import tempfile
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from operator import truediv
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

from forge.history import History
from forge.replay import EventJournal
from forge.state import RunEvent, apply_event, reduce_events

ROUNDS, IN_ROUND = 200, 5
STORED, IN_HISTORY, CHECKPOINTS = 20_000, 100_000, 1_000


def event(number: int) -> RunEvent:
    kind, payload = "step_started", {"step": f"feature {number}: let the reader search"}
    if number == 1:
        kind, payload = "run_created", {}
    return RunEvent(event_id=f"run-1-e{number}", run_id="run-1", sequence=number, kind=kind, payload=payload)


def best(works: Mapping[str, Callable[[], object]], runs: int = 7) -> dict[str, float]:
    """The processor seconds of the fastest run of each, taking turns."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            start = process_time()
            work()
            times[name].append(process_time() - start)
    return {name: min(found) for name, found in times.items()}


class Row(NamedTuple):
    """One measurement, and exactly what it is of."""

    who: str
    per_second: float
    what: str


class Target(NamedTuple):
    """What was aimed at, and what was found."""

    words: str
    aim: float
    found: float
    at_most: bool = False

    def __str__(self) -> str:
        met = self.found <= self.aim if self.at_most else self.found >= self.aim
        aim = f"{'≤' if self.at_most else '≥'} {self.aim:g}"
        return f"{'✓' if met else '✗'} {self.words}: {self.found:.2f} (target {aim})"


def show(title: str, rows: list[Row]) -> None:
    print(f"\n{title}")
    for who, per_second, what in rows:
        print(f"  {who:<30}{per_second:>12,.0f} /s  {what}")


# The peers. Each class keeps the same run, and says which settings make its appends as durable as ours.


class BareWrites:
    who = "bare limit"
    what = "one write and one fdatasync of the line that forge writes, the file held open"

    def __init__(self, folder: Path) -> None:
        self._file = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._lines = journal_bytes(folder / "lines", ROUNDS * IN_ROUND).splitlines(keepends=True)

    def append(self, one: RunEvent) -> None:
        os.write(self._file, self._lines[one.sequence - 1])
        getattr(os, "fdatasync", os.fsync)(self._file)


class Forge:
    who = "forge"
    what = "EventJournal.append: lock, look at the end, hash, one write, fdatasync, unlock"

    def __init__(self, folder: Path) -> None:
        self._journal = EventJournal(folder / "run-1.jsonl")

    def append(self, one: RunEvent) -> None:
        self._journal.append(one)


class EventSourcing:
    who = "eventsourcing, SQLite"
    what = "Application.save of an aggregate with one new event; WAL, synchronous=FULL"

    def __init__(self, folder: Path) -> None:
        self.application = eventsourcing_application(folder)
        self.run = aggregate()(run_id="run-1", event_id="run-1-e1")
        self.application.save(self.run)

    def record(self, one: RunEvent) -> None:
        self.run.record(event_id=one.event_id, kind=one.kind.value, payload=dict(one.payload))

    def append(self, one: RunEvent) -> None:
        if one.sequence > 1:
            self.record(one)
            self.application.save(self.run)


class LangGraph:
    who = "langgraph-checkpoint-sqlite"
    what = "SqliteSaver.put of the state after the event; WAL, synchronous=FULL"

    def __init__(self, folder: Path) -> None:
        saver = import_module("langgraph.checkpoint.sqlite").SqliteSaver
        self.saver = saver(sqlite3.connect(folder / "langgraph.db", check_same_thread=False))
        self.saver.setup()
        for setting, value in (("journal_mode", "wal"), ("synchronous", 2)):
            assert self.saver.conn.execute(f"PRAGMA {setting}").fetchone() == (value,), "not as durable"
        self._empty = import_module("langgraph.checkpoint.base").empty_checkpoint
        self._state: Any = None
        self._config: dict[str, Any] = {"configurable": {"thread_id": "run-1", "checkpoint_ns": ""}}

    def append(self, one: RunEvent) -> None:
        self._state = apply_event(self._state, one)
        values = {"state": self._state.model_dump(mode="json"), "event": one.model_dump(mode="json")}
        checkpoint = {**self._empty(), "channel_values": values}
        metadata = {"source": "loop", "step": one.sequence}
        self._config = self.saver.put(self._config, checkpoint, metadata, {})


@functools.cache
def aggregate() -> Any:
    """The same run as an aggregate of the eventsourcing package, with the same fields in its events."""
    domain = import_module("eventsourcing.domain")

    class Run(domain.Aggregate):  # type: ignore[misc,name-defined]
        @domain.event("Created")
        def __init__(self, run_id: str, event_id: str) -> None:
            self.run_id, self.last_event_id = run_id, event_id
            self.status, self.current_step, self.write_allowed = "created", None, True

        @domain.event("Recorded")
        def record(self, event_id: str, kind: str, payload: dict[str, Any]) -> None:
            if kind == "step_started":
                self.status, self.current_step = "running", payload["step"].strip()
            elif kind == "write_permission_revoked":
                self.write_allowed = False
            self.last_event_id = event_id

    globals()["aggregate"].Run = Run  # stored events name their class by its path
    return Run


def eventsourcing_application(folder: Path) -> Any:
    """An application of the eventsourcing package, opened anew."""
    environment = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / "events.db")}
    return import_module("eventsourcing.application").Application(env=environment)


def journal_bytes(path: Path, count: int) -> bytes:
    """The bytes of a journal of `count` events, which is written to `path`."""
    journal = EventJournal(path, fsync_every=1_000_000)
    for number in range(1, count + 1):
        journal.append(event(number))
    return path.read_bytes()


def peers() -> list[type[EventSourcing] | type[LangGraph]]:
    found: list[type[EventSourcing] | type[LangGraph]] = []
    for package, peer in (("eventsourcing", EventSourcing), ("langgraph", LangGraph)):
        if find_spec(package):
            found.append(peer)
        else:
            print(f"not compared with {peer.who}: it is not installed")
    return found


def measure_appends(folder: Path) -> list[Target]:
    writers = [writer(folder) for writer in (BareWrites, Forge, *peers())]
    times: dict[str, list[float]] = {writer.who: [] for writer in writers}
    for turn in range(ROUNDS):
        events = [event(turn * IN_ROUND + number) for number in range(1, IN_ROUND + 1)]
        first = turn % len(writers)
        for writer in writers[first:] + writers[:first]:
            start = perf_counter()
            for one in events:
                writer.append(one)
            times[writer.who].append((perf_counter() - start) / IN_ROUND)
    median = {who: statistics.median(rounds) for who, rounds in times.items()}
    show(
        f"Durable append, one event at a time: the median of {ROUNDS} rounds of {IN_ROUND}",
        [Row(writer.who, 1 / median[writer.who], writer.what) for writer in writers],
    )
    added = (median["forge"] - median["bare limit"]) * 1e6
    print(f"  (a sync takes {median['bare limit'] * 1e6:.0f} µs here, and forge adds {added:.0f} µs to it)")

    def of(who: str) -> float:
        """How fast forge is, measured by `who` in the same round: the median over all rounds."""
        return statistics.median(map(truediv, times[who], times["forge"]))

    return [
        Target("durable append, of the bare limit", 0.9, of("bare limit")),
        *(Target(f"durable append, of {peer.who}", 1, of(peer.who)) for peer in writers[2:]),
    ]


def measure_verification(path: Path) -> list[Target]:
    def split_and_hash() -> None:
        for line in path.read_bytes().split(b"\n"):
            hashlib.sha256(line).hexdigest()

    seconds = best({"bare": split_and_hash, "forge": EventJournal(path).anchor})
    what = "EventJournal.anchor: every hash and every link of a file not seen before"
    show(
        f"Verification of {STORED:,} events",
        [
            Row(
                "bare limit",
                STORED / seconds["bare"],
                "read the file, split it at newlines, SHA-256 of each line",
            ),
            Row("forge", STORED / seconds["forge"], what),
        ],
    )
    return [Target("verification, of bare split and hash", 0.5, seconds["bare"] / seconds["forge"])]


def measure_replay(folder: Path, path: Path) -> list[Target]:
    events = EventJournal(path).read_events()
    works: dict[str, Callable[[], object]] = {
        "forge, cold file": EventJournal(path).replay,
        "forge, events in memory": lambda: reduce_events(events),
    }
    what = {
        "forge, cold file": "EventJournal.replay of a file not seen before: hashes, events, states checked",
        "forge, events in memory": "reduce_events: every state checked",
        EventSourcing.who: "repository.get in an application opened anew; nothing is verified",
        "eventsourcing, in memory": "for information: its events change one object; nothing is checked",
        LangGraph.who: "for information: list of the states after 1,000 events; it keeps no events to replay",
    }
    count = dict.fromkeys(what, STORED) | {LangGraph.who: CHECKPOINTS}
    if find_spec("eventsourcing"):
        works |= eventsourcing_replays(folder / "stored")
    if find_spec("langgraph"):
        works |= {LangGraph.who: langgraph_states(folder / "checkpoints")}
    rate = {who: count[who] / seconds for who, seconds in best(works).items()}
    show(f"Replay of {STORED:,} events", [Row(who, rate[who], what[who]) for who in rate])
    if EventSourcing.who not in rate:
        return []
    peer, words = rate[EventSourcing.who], "of eventsourcing, the one peer that replays"
    return [
        Target(f"replay from a cold file, {words}", 3, rate["forge, cold file"] / peer),
        Target(f"replay from events in memory, {words}", 5, rate["forge, events in memory"] / peer),
    ]


def eventsourcing_replays(folder: Path) -> dict[str, Callable[[], object]]:
    folder.mkdir()
    kept = EventSourcing(folder)
    for number in range(2, STORED + 1):
        kept.record(event(number))
    kept.application.save(kept.run)
    stored = list(kept.application.events.get(kept.run.id))

    def replay() -> None:
        application = eventsourcing_application(folder)
        assert application.repository.get(kept.run.id).version == STORED

    def fold() -> None:
        functools.reduce(lambda run, change: change.mutate(run), stored, None)

    return {EventSourcing.who: replay, "eventsourcing, in memory": fold}


def langgraph_states(folder: Path) -> Callable[[], object]:
    folder.mkdir()
    kept = LangGraph(folder)
    for number in range(1, CHECKPOINTS + 1):
        kept.append(event(number))
    return lambda: list(kept.saver.list({"configurable": {"thread_id": "run-1"}}))


def measure_seeking() -> list[Target]:
    history = History([event(number) for number in range(1, IN_HISTORY + 1)], apply_event)
    chance, times = random.Random(1), []
    for _ in range(3_000):
        n = chance.randrange(IN_HISTORY + 1)
        start = perf_counter()
        history.at(n)
        times.append((perf_counter() - start) * 1_000)
    p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(f"\nHistory.at of a random prefix of {IN_HISTORY:,} events: p50 {p50:.2f} ms, p95 {p95:.2f} ms")
    return [Target("History.at, p95 in milliseconds", 5, p95, at_most=True)]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = len(journal_bytes(folder / "run-1-stored.jsonl", STORED))
        path = folder / "run-1-stored.jsonl"
        one = json.dumps(event(2).model_dump(mode="json"))
        print(f"One event: {one}\nOne line of the journal: {size / STORED:.0f} bytes")
        targets = [
            *measure_appends(folder),
            *measure_verification(path),
            *measure_replay(folder, path),
            *measure_seeking(),
        ]
    print()
    for target in targets:
        print(target)


if __name__ == "__main__":
    main()
