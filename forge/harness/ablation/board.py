"""Each mechanism, the same task with it and without it, and both outcomes as they were seen."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import InvalidValue
from ...history import History
from ..mechanisms import MECHANISMS, Mechanism
from . import calls, keeping, processes
from .runs import Outcome, Run

RUNS: dict[int, Run] = {
    2: calls.tools,
    3: calls.deferred,
    4: calls.permissions,
    5: processes.main_process,
    6: processes.sidecar,
    7: processes.sessions,
    8: keeping.routing,
    9: keeping.transcript,
    10: keeping.workspace_memory,
    11: keeping.user_memory,
    12: keeping.remote_memory,
    13: keeping.externalise,
    14: keeping.compaction,
    15: keeping.prompt,
    16: calls.skills,
    17: calls.connectors,
    18: calls.experts,
    19: calls.visualiser,
    20: calls.presentation,
    21: keeping.database,
    22: keeping.scheduler,
    23: calls.safety,
}
"""The task of each mechanism that can be switched off, by its number."""


class Ablation(NamedTuple):
    """A mechanism, a task, and what came of it with the mechanism and without."""

    mechanism: Mechanism
    task: str
    with_it: Outcome
    without: Outcome


def ablate(number: int) -> Ablation:
    """Run the task of a mechanism twice, in two folders that are removed afterwards."""
    run = RUNS.get(number)
    if run is None:
        raise InvalidValue(
            "this mechanism cannot be switched off", f"found {number}, expected a number from 2 to 23."
        )
    mechanism = MECHANISMS[number - 1]
    off = {mechanism.switch} | ({"sandbox"} if mechanism.switch == "audit" else set())
    outcomes = []
    for switched in (frozenset[str](), frozenset(off)):
        with tempfile.TemporaryDirectory(prefix="forge-ablation-") as folder:
            outcomes.append(run(Path(folder).resolve(), switched))
    return Ablation(mechanism, inspect.getdoc(run) or "", *outcomes)


def ablate_all(numbers: Iterable[int] = tuple(RUNS)) -> list[Ablation]:
    """All of these mechanisms, one after another."""
    return [ablate(number) for number in numbers]


def ablation_history(ablations: Iterable[Ablation]) -> History[dict[str, Any], dict[str, Any]]:
    """What happened in all runs, one after another, for the replay timeline.

    An event is one of a session's transcript. The last one of each run says what came of it, and is marked
    where that is not well.
    """
    events = [event for each in ablations for event in _events(each)]
    return History(events, _apply, describe=lambda event: event["kind"], marks=_marks)


def _events(ablation: Ablation) -> list[dict[str, Any]]:
    found = []
    for word, outcome in (("on", ablation.with_it), ("off", ablation.without)):
        told = [*outcome.events, ("outcome", outcome.seen)]
        common = {"mechanism": ablation.mechanism.title, "switched": word, "task": ablation.task}
        for kind, text in told:
            well = outcome.well if kind == "outcome" else None
            found.append({**common, "kind": kind, "text": text, "well": well})
    return found


def _apply(state: dict[str, Any] | None, event: dict[str, Any]) -> dict[str, Any]:
    run = {key: event[key] for key in ("mechanism", "switched", "task")}
    same = state is not None and all(state[key] == run[key] for key in run) and state["outcome"] is None
    events = state["events"] if same and state is not None else 0
    outcome = None if event["well"] is None else f"{'✓' if event['well'] else '✗'} {event['text']}"
    return {**run, "events": events + 1, "last": f"{event['kind']}: {event['text']}", "outcome": outcome}


def _marks(event: dict[str, Any], _before: object, _after: object) -> str | None:
    return "✗ went wrong" if event["well"] is False else None
