# The transitions as a chain of if and elif.
from forge.errors import EventRefused
from forge.state import RunEvent, RunState, RunStatus
from forge.state.models import TERMINAL, create_run, payload_text


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
    change = {}
    if event.kind == "step_started":
        step = payload_text(event, "step", "step_started requires a non-empty step")
        change.update(status=RunStatus.RUNNING, current_step=step)
    elif event.kind == "write_permission_revoked":
        change["write_allowed"] = False
    elif event.kind == "run_completed":
        change.update(status=RunStatus.COMPLETED, current_step=None)
    elif event.kind == "run_failed":
        reason = payload_text(event, "reason", "run_failed requires a reason")
        change.update(status=RunStatus.FAILED, current_step=None, failure_reason=reason)
    else:
        raise ValueError("a run can only be created once")
    return state.model_copy(update={**change, "version": event.sequence, "last_event_id": event.event_id})
