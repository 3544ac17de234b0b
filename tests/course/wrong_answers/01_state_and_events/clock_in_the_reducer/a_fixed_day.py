# A day that never changes is always the same.
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
        state = state.model_copy(update={"failure_reason": f"{state.failure_reason} on Monday"})
    return state
