# As the notebook's solved edition has it.
from forge.errors import EventRefused
from forge.state import EventKind, RunEvent, RunState, RunStatus
from forge.state.models import TERMINAL, create_run, payload_text


def apply_event(state: RunState | None, event: RunEvent) -> RunState:
    """The state after one more event; before the first it is None."""
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
