# A run that stops in a step has failed.
from collections.abc import Iterable

from forge.errors import EventRefused
from forge.state import EventKind, RunEvent, RunState, RunStatus, apply_event


def reduce_events(events: Iterable[RunEvent], initial: RunState | None = None) -> RunState:
    history = list(events)
    state = initial
    for event in history:
        state = apply_event(state, event)
    if state is None:
        raise EventRefused("at least one event is required", "the history is empty.")
    if history and history[-1].kind is EventKind.STEP_STARTED:
        return state.model_copy(update={"status": RunStatus.FAILED})
    return state
