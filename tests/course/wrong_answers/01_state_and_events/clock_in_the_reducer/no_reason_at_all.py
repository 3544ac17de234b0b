# A reason that may be wrong is left out.
from collections.abc import Iterable

from forge.errors import EventRefused
from forge.state import RunEvent, RunState, RunStatus, apply_event


def reduce_events(events: Iterable[RunEvent], initial: RunState | None = None) -> RunState:
    state = initial
    for event in events:
        state = apply_event(state, event)
    if state is None:
        raise EventRefused("at least one event is required", "the history is empty.")
    if state.status is RunStatus.FAILED:
        state = state.model_copy(update={"failure_reason": None})
    return state
