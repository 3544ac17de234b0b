"""Runs to show."""

from __future__ import annotations

from forge.history import History
from forge.state.marks import run_marks
from forge.state.models import EventKind, RunEvent, RunState, apply_event


def event(sequence: int, kind: EventKind = EventKind.STEP_STARTED, **payload: object) -> RunEvent:
    return RunEvent(
        event_id=f"run-1-e{sequence}", run_id="run-1", sequence=sequence, kind=kind, payload=payload
    )


def short_run() -> History[RunState, RunEvent]:
    events = [
        event(1, EventKind.RUN_CREATED),
        event(2, step="inspect"),
        event(3, EventKind.WRITE_PERMISSION_REVOKED),
    ]
    return History(events, apply_event, marks=run_marks)


def long_run(count: int) -> History[RunState, RunEvent]:
    steps = [event(n, step=f"step {n % 7}") for n in range(2, count)]
    events = [event(1, EventKind.RUN_CREATED), *steps, event(count, EventKind.RUN_COMPLETED)]
    return History(events, apply_event, marks=run_marks)


def gapped_run() -> list[RunEvent]:
    return [event(1, EventKind.RUN_CREATED), *(event(n, step=f"step {n}") for n in (2, 3, 4, 6, 7))]
