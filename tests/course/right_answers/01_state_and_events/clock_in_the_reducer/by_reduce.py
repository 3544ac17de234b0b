# The same fold, by functools.reduce.
import functools
from collections.abc import Iterable

from forge.errors import EventRefused
from forge.state import RunEvent, RunState, apply_event


def reduce_events(events: Iterable[RunEvent], initial: RunState | None = None) -> RunState:
    state = functools.reduce(apply_event, events, initial)
    if state is None:
        raise EventRefused("at least one event is required", "the history is empty.")
    return state
