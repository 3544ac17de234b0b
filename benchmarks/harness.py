"""The agent harness: how fast it recalls, and what a turn costs, beside a LangGraph agent on the same turns.

    python benchmarks/harness.py

Recall is asked of 100,000 facts with a vocabulary as uneven as a language's, and is timed by the clock, as
whoever waits would. A turn is one message of the user's and one answer of a mock; both agents keep every step
on disk, 100 turns by turns, so that what slows the machine for a while slows both. The work of a turn is told
apart from the wait: processor time is what the loop costs, the clock also has the disk, which is waited for
before an answer is believed. The peer is left out when it is not installed (`make .venv/.bench`).
"""

from __future__ import annotations

import random
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import accumulate, pairwise
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Annotated, Any, TypedDict

from forge.chain import canonical
from forge.harness.facts import Fact, StoredFact
from forge.harness.harness import Harness
from forge.harness.mock import MockProvider, echo
from forge.harness.recall import RecallEngine
from forge.harness.remote_memory import RemoteMemoryStore
from forge.log import ChainLog

FACTS, ASKED, MOST_RECALL = 100_000, 400, 0.050
TURNS, PIECE, LONG, MOST_TURN = 500, 100, 5_000, 0.005

_WORDS = [f"word{number}" for number in range(20_000)]
_WEIGHTS = list(accumulate(1 / (number + 1) for number in range(20_000)))
_HAN = [chr(0x4E00 + number) for number in range(2_000)]
_AT = datetime(2026, 1, 5, 9, tzinfo=UTC)


def words(choose: random.Random, count: int) -> str:
    return " ".join(choose.choices(_WORDS, cum_weights=_WEIGHTS, k=count))


def facts(choose: random.Random) -> Iterator[StoredFact]:
    """Facts of 5 to 40 words in 20 scopes; every tenth is Chinese."""
    for number in range(FACTS):
        text = (
            "".join(choose.choices(_HAN, k=30)) if number % 10 == 0 else words(choose, choose.randint(5, 40))
        )
        yield StoredFact.of(
            Fact(
                scope=f"workspace:w{number % 20}",
                content=f"{number} {text}",
                source_id=f"message-{number}",
                source_kind="user_message",
                captured_at=_AT,
            )
        )


def recall(folder: Path) -> bool:
    """Whether recall is fast enough: 95 of 100 questions within the time."""
    choose = random.Random(1)
    path = folder / "remote.jsonl"
    log = ChainLog(path, fsync_every=FACTS)
    for fact in facts(choose):
        log.append_json(canonical(fact.to_json()))
    start = perf_counter()
    engine = RecallEngine(RemoteMemoryStore(path))
    engine.refresh()
    print(f"recall among {FACTS:,} facts ({path.stat().st_size / 1e6:.0f} MB)")
    print(f"    read, verified and indexed in {perf_counter() - start:.1f} s")
    fast = True
    for name, ask in (
        ("3 words", lambda: words(choose, 3)),
        ("12 words", lambda: words(choose, 12)),
        ("4 Chinese characters", lambda: "".join(choose.choices(_HAN, k=4))),
    ):
        took = sorted(
            timed(lambda ask=ask: engine.recall(ask(), ["workspace:w3", "workspace:w4"]))
            for _ in range(ASKED)
        )
        p95 = quantiles(took, n=20)[-1]
        fast &= p95 <= MOST_RECALL
        print(
            f"  {mark(p95 <= MOST_RECALL)} {name:<21} p50 {ms(median(took))}  p95 {ms(p95)}  (at most 50 ms)"
        )
    return fast


def timed(work: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    start = clock()
    work()
    return clock() - start


class Took:
    """Seconds of each turn, by the clock and of the processor."""

    def __init__(self) -> None:
        self.clock: list[float] = []
        self.work: list[float] = []

    def turn(self, work: Callable[[], object]) -> None:
        start = perf_counter()
        self.work.append(timed(work, process_time))
        self.clock.append(perf_counter() - start)

    def __str__(self) -> str:
        head, tail = median(self.work[:PIECE]), median(self.work[-PIECE:])
        growth = f"first {PIECE} {ms(head)}, last {PIECE} {ms(tail)}, × {tail / head:.2f}"
        return f"work: {growth}; clock: median {ms(median(self.clock))}"


def ms(seconds: float) -> str:
    return f"{seconds * 1000:6.2f} ms"


def mark(holds: bool) -> str:
    return "✓" if holds else "✗"


def text_of(turn: int) -> str:
    return f"Turn {turn}: please look at part {turn} of the plan and say what stands in it. " + "x " * 60


def ours(folder: Path) -> Callable[[int], object]:
    harness = Harness(folder, "bench", MockProvider(echo))
    return lambda turn: harness.send(text_of(turn))


def langgraph(folder: Path) -> Callable[[int], object]:
    """An agent of one node that answers as the mock does, with the SQLite checkpointer."""
    import sqlite3

    from langchain_core.messages import AIMessage, HumanMessage
    from langgraph.checkpoint.sqlite import SqliteSaver
    from langgraph.graph import START, StateGraph
    from langgraph.graph.message import add_messages

    state_type = TypedDict("State", {"messages": Annotated[list[Any], add_messages]})  # noqa: UP013

    def answer(state: dict[str, Any]) -> dict[str, Any]:
        return {"messages": [AIMessage(f"You said: {state['messages'][-1].content[:200]}")]}

    graph = StateGraph(state_type)
    graph.add_node("answer", answer)
    graph.add_edge(START, "answer")
    connection = sqlite3.connect(folder / "checkpoints.sqlite", check_same_thread=False)
    agent = graph.compile(checkpointer=SqliteSaver(connection))
    where = {"configurable": {"thread_id": "bench"}}
    return lambda turn: agent.invoke({"messages": [HumanMessage(text_of(turn))]}, where)


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def turns(folder: Path) -> None:
    """Time and bytes of a turn, of both, over the same turns."""
    agents = {"forge harness": ours}
    try:
        agents[f"langgraph {version('langgraph')}, SQLite checkpointer"] = langgraph
        version("langgraph-checkpoint-sqlite")
    except ModuleNotFoundError:
        print("    langgraph is not installed here: make .venv/.bench")
    made = {}
    for name, make in agents.items():
        place = folder / str(len(made))
        place.mkdir()
        made[name] = (make(place), place, Took())
    print(f"\n{TURNS} turns of one conversation, without tools")
    for first in range(0, TURNS, PIECE):
        for step, _, took in made.values():
            for turn in range(first, first + PIECE):
                took.turn(lambda turn=turn, step=step: step(turn))
    for name, (_, place, took) in made.items():
        print(f"    {name}\n        {took}\n        {size(place) / TURNS:,.0f} bytes a turn")


def long_run(folder: Path) -> bool:
    """Whether a turn late in a long conversation costs what an early one does, in time, memory and disk."""
    place = folder / "long"
    place.mkdir()
    step, took = ours(place), Took()
    disk, memory = [0], []
    for first in range(0, LONG, LONG // 5):
        last = first + LONG // 5
        for turn in range(first, last - PIECE):
            took.turn(lambda turn=turn: step(turn))
        tracemalloc.start()
        for turn in range(last - PIECE, last):
            step(turn)
        memory.append(tracemalloc.get_traced_memory()[0] // PIECE)
        tracemalloc.stop()
        disk.append(size(place))
    cost, growth = median(took.work), median(took.work[-500:]) / median(took.work[:500])
    print(f"\n{LONG:,} turns of one conversation")
    print(f"  {mark(cost <= MOST_TURN)} the work of a turn, median {ms(cost)} (at most 5 ms)")
    print(f"  {mark(growth <= 1.5)} the last 500 beside the first 500 × {growth:.2f} (at most 1.5)")
    print(f"    by the clock, with the disk: median {ms(median(took.clock))}")
    print(f"    disk by fifths: {', '.join(f'{(b - a) / 1e6:.2f}' for a, b in pairwise(disk))} MB")
    print(f"    memory kept of a turn, by fifths: {', '.join(f'{part:,}' for part in memory)} bytes")
    return cost <= MOST_TURN and growth <= 1.5


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fast = recall(folder)
        turns(folder)
        flat = long_run(folder)
    sys.exit(0 if fast and flat else 1)


if __name__ == "__main__":
    main()
