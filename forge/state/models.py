"""The event, the state, and the reducer that turns one into the other."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, PlainValidator

from ..chain import FrozenDict, freeze
from ..errors import EventRefused, ForgeModel, InvalidValue
from ..wording import show


class RunStatus(StrEnum):
    """Where a run stands."""

    CREATED = "created"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"


TERMINAL = frozenset({RunStatus.COMPLETED, RunStatus.FAILED})
"""The statuses after which a run accepts no event."""


class EventKind(StrEnum):
    """What can happen to a run."""

    RUN_CREATED = "run_created"
    STEP_STARTED = "step_started"
    WRITE_PERMISSION_REVOKED = "write_permission_revoked"
    RUN_COMPLETED = "run_completed"
    RUN_FAILED = "run_failed"


def _payload(value: Any) -> FrozenDict:
    if not isinstance(value, dict):
        raise InvalidValue(
            "payload was refused",
            f"expected a mapping with text keys, found {show(value)}.",
            path="payload",
            expected="a mapping with text keys",
            found=show(value),
        )
    frozen: FrozenDict = freeze(value, "payload")
    return frozen


class RunEvent(ForgeModel):
    """One thing that happened to one run. It never changes; a mistake is mended by another event.

    `sequence` counts the events of a run from 1. `payload` is frozen at every depth and holds only what JSON
    gives back equal. Any other value raises `InvalidValue`.
    """

    event_id: str = Field(min_length=1)
    run_id: str = Field(min_length=1)
    sequence: int = Field(ge=1)
    kind: Annotated[EventKind, Field(strict=False)]
    payload: Annotated[dict[str, Any], PlainValidator(_payload)] = Field(default_factory=dict)


class RunState(ForgeModel):
    """Where a run stands after its first `version` events: a projection of them, never a source."""

    run_id: str
    status: Annotated[RunStatus, Field(strict=False)]
    version: int = Field(ge=1)
    last_event_id: str
    current_step: str | None = None
    write_allowed: bool = True
    failure_reason: str | None = None


def apply_event(state: RunState | None, event: RunEvent) -> RunState:
    """The state after one more event, from None before the first. A refusal is an `EventRefused`."""
    here = f"event {event.sequence} of {event.run_id}"
    if state is None:
        return create_run(event)
    if event.run_id != state.run_id:
        raise EventRefused(
            "an event cannot be applied to a different run",
            f"{here} met a state of {state.run_id}.",
        )
    if event.sequence != state.version + 1:
        raise EventRefused(
            "event sequence must be contiguous",
            f"{here} follows event {state.version}, expected {state.version + 1}.",
            f"Read the log again from {state.version + 1}.",
        )
    if state.status in TERMINAL:
        raise EventRefused(
            "a terminal run cannot accept more events",
            f"{here} comes after the run {state.status}.",
        )

    change: dict[str, Any]
    match event.kind:
        case EventKind.RUN_CREATED:
            raise EventRefused("a run can only be created once", f"{here} creates it again.")
        case EventKind.STEP_STARTED:
            step = payload_text(event, "step", "step_started requires a non-empty step")
            change = {"status": RunStatus.RUNNING, "current_step": step}
        case EventKind.WRITE_PERMISSION_REVOKED:
            change = {"write_allowed": False}
        case EventKind.RUN_COMPLETED:
            change = {"status": RunStatus.COMPLETED, "current_step": None}
        case EventKind.RUN_FAILED:
            reason = payload_text(event, "reason", "run_failed requires a reason")
            ended = {"status": RunStatus.FAILED, "current_step": None}
            change = {**ended, "failure_reason": reason}
    seen = {"version": event.sequence, "last_event_id": event.event_id}
    return state.model_copy(update={**change, **seen})


def create_run(event: RunEvent) -> RunState:
    """The state after the event that creates the run, which must be the first."""
    if event.kind is not EventKind.RUN_CREATED or event.sequence != 1:
        raise EventRefused(
            "the first event must create the run at sequence 1",
            f"found {event.kind} at sequence {event.sequence}.",
        )
    write_allowed = event.payload.get("write_allowed", True)
    if not isinstance(write_allowed, bool):
        raise EventRefused(
            "run_created requires write_allowed to be true or false",
            f"event 1 of {event.run_id} has {write_allowed!r}.",
        )
    return RunState(
        run_id=event.run_id,
        status=RunStatus.CREATED,
        version=1,
        last_event_id=event.event_id,
        write_allowed=write_allowed,
    )


def payload_text(event: RunEvent, field: str, words: str) -> str:
    """The text a payload must hold, stripped of spaces. `words` begin the error if there is none."""
    value = event.payload.get(field)
    if not isinstance(value, str) or not value.strip():
        raise EventRefused(words, f"event {event.sequence} of {event.run_id} has {field}={show(value)}.")
    return value.strip()


def reduce_events(events: Iterable[RunEvent], initial: RunState | None = None) -> RunState:
    """The state after all `events`, in the order given. `initial` is the state before the first of them."""
    state = initial
    for event in events:
        state = apply_event(state, event)
    if state is None:
        raise EventRefused("at least one event is required", "the history is empty.")
    return state
