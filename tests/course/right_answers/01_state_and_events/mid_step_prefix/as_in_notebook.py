# As the notebook's solved edition has it.
from collections.abc import Iterable

from forge.errors import EventRefused
from forge.state import EventKind, RunEvent, RunState, apply_event


def reduce_events(
    events: Iterable[RunEvent],
    initial: RunState | None = None,
) -> RunState:
    """The state after all `events`, in the order given."""
    state = initial
    for event in events:
        state = apply_event(state, event)
    if state is None:
        raise EventRefused(
            "at least one event is required",
            "the history is empty.",
        )
    return state
