from collections.abc import Iterable

from forge.errors import EventRefused
from forge.state import RunEvent, RunState, apply_event


def reduce_events(
    events: Iterable[RunEvent],
    initial: RunState | None = None,
) -> RunState:
    """The state after all `events`, in the order of their ids."""
    state = initial
    for event in sorted(events, key=lambda event: event.event_id):
        state = apply_event(state, event)
    if state is None:
        raise EventRefused(
            "at least one event is required",
            "the history is empty.",
        )
    return state
