import time
from collections.abc import Iterable

from forge.errors import EventRefused
from forge.state import RunEvent, RunState, RunStatus, apply_event


def reduce_events(
    events: Iterable[RunEvent],
    initial: RunState | None = None,
) -> RunState:
    """The state after all `events`, and for a failed run a little more."""
    state = initial
    for event in events:
        state = apply_event(state, event)
    if state is None:
        raise EventRefused(
            "at least one event is required",
            "the history is empty.",
        )
    if state.status is RunStatus.FAILED:
        day = time.strftime("%A", time.gmtime(time.time()))
        state = state.model_copy(
            update={"failure_reason": f"{state.failure_reason} on {day}"}
        )
    return state
