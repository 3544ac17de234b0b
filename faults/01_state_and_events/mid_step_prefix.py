from collections.abc import Iterable

from forge.errors import EventRefused
from forge.state import EventKind, RunEvent, RunState, apply_event


def reduce_events(
    events: Iterable[RunEvent],
    initial: RunState | None = None,
) -> RunState:
    """The state after all `events`; each step is read with what follows."""
    history = list(events)
    if history and history[-1].kind is EventKind.STEP_STARTED:
        raise EventRefused(
            "a step must be followed by another event",
            f"the history ends with {history[-1].kind}.",
        )
    state = initial
    for event in history:
        state = apply_event(state, event)
    if state is None:
        raise EventRefused(
            "at least one event is required",
            "the history is empty.",
        )
    return state
