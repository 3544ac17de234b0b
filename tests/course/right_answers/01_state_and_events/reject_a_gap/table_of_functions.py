# One function for each kind of event, in a dictionary.
from forge.errors import EventRefused
from forge.state import EventKind, RunEvent, RunState, RunStatus
from forge.state.models import TERMINAL, create_run, payload_text


def step_started(event):
    step = payload_text(event, "step", "step_started requires a non-empty step")
    return {"status": RunStatus.RUNNING, "current_step": step}


def run_failed(event):
    reason = payload_text(event, "reason", "run_failed requires a reason")
    return {"status": RunStatus.FAILED, "current_step": None, "failure_reason": reason}


def created_again(event):
    raise ValueError("a run can only be created once")


CHANGES = {
    EventKind.RUN_CREATED: created_again,
    EventKind.STEP_STARTED: step_started,
    EventKind.WRITE_PERMISSION_REVOKED: lambda event: {"write_allowed": False},
    EventKind.RUN_COMPLETED: lambda event: {"status": RunStatus.COMPLETED, "current_step": None},
    EventKind.RUN_FAILED: run_failed,
}


def apply_event(state: RunState | None, event: RunEvent) -> RunState:
    here = f"event {event.sequence} of {event.run_id}"
    if state is None:
        return create_run(event)
    if event.run_id != state.run_id:
        raise EventRefused(
            "an event cannot be applied to a different run", f"{here} met a state of {state.run_id}."
        )
    if event.sequence != state.version + 1:
        raise EventRefused("event sequence must be contiguous", f"{here} follows event {state.version}.")
    if state.status in TERMINAL:
        raise EventRefused(
            "a terminal run cannot accept more events", f"{here} comes after the run {state.status}."
        )
    change = CHANGES[event.kind](event)
    return state.model_copy(update={**change, "version": event.sequence, "last_event_id": event.event_id})
