"""The recovery strip: from which keyframes of a history a run could be recovered.

A recovery is: save the state, load it, fold the events after it. Saving and loading must lose nothing, and
the fold must depend on the state and the events alone. `recovery_cases.py` has ways to break that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from .errors import InvalidValue
from .history import KEYFRAME_EVERY, History, compare, flatten
from .state.mismatch import Difference

State = TypeVar("State")
Event = TypeVar("Event")


class Segment(NamedTuple):
    """Whether recovery from one keyframe gives what full replay gives.

    When it does not, `event` is the number of the first event after which the two states differ and
    `differences` say how; or `refused` says what saving, loading or folding raised.
    """

    keyframe: int
    holds: bool
    event: int | None = None
    differences: tuple[Difference, ...] = ()
    refused: str = ""


def after_keyframe(events: Sequence[Event], keyframe: int, _loaded: Any) -> Sequence[Event]:
    """The events after the first `keyframe`."""
    return events[keyframe:]


def recovery_strip(
    history: History[State, Event],
    n: int,
    save: Callable[[State], Any],
    load: Callable[[Any], State],
    *,
    every: int | None = None,
    tail: Callable[[Sequence[Event], int, State | None], Sequence[Event]] = after_keyframe,
    reducer: Callable[[State | None, Event], State] | None = None,
) -> tuple[Segment, ...]:
    """Whether `load(save(state))` and the tail give the state at prefix `n`, for each keyframe up to it.

    `save(state)` returns whatever `load` takes. There is a keyframe every `every` events, from 0 on: by
    default at each prefix of a history of up to `KEYFRAME_EVERY` events, else at the history's own. A prefix
    without a state has nothing to save. `tail(events, keyframe, loaded)` chooses the events to fold, and
    `reducer` stands in for the history's. Costs one replay for each keyframe.
    """
    history.at(n)
    if every is None:
        every = 1 if len(history) <= KEYFRAME_EVERY else KEYFRAME_EVERY
    if every < 1:
        raise InvalidValue("every was refused", f"expected at least 1 event, found {every}.")
    events, fold = history.events[:n], reducer or history.reducer
    replayed = _states(history.at(0), events, fold)
    strip = []
    for keyframe in range(0, n + 1, every):
        state = replayed[keyframe]
        try:
            loaded = None if state is None else load(save(state))
            recovered = _states(loaded, tail(events, keyframe, loaded), fold)
        except Exception as error:
            strip.append(Segment(keyframe, False, refused=f"{type(error).__name__}: {error}"))
        else:
            strip.append(_segment(keyframe, recovered, replayed[keyframe:]))
    return tuple(strip)


def _states(
    state: State | None, events: Iterable[Event], fold: Callable[[State | None, Event], State]
) -> list[State | None]:
    states = [state]
    for event in events:
        state = fold(state, event)
        states.append(state)
    return states


def _segment(keyframe: int, recovered: list[State | None], replayed: list[State | None]) -> Segment:
    if not _differences(recovered[-1], replayed[-1]):
        return Segment(keyframe, holds=True)
    # Where one of them has no more events, its state stays as it is.
    longest = max(len(recovered), len(replayed))
    both = zip(_padded(recovered, longest), _padded(replayed, longest), strict=True)
    found = ((number, _differences(*states)) for number, states in enumerate(both, start=keyframe))
    return Segment(keyframe, False, *next((number, differ) for number, differ in found if differ))


def _padded(states: list[State | None], length: int) -> list[State | None]:
    return states + states[-1:] * (length - len(states))


def _differences(recovered: Any, replayed: Any) -> tuple[Difference, ...]:
    return tuple(
        Difference(".".join(map(str, change.path)), change.before, change.after)
        for change in compare(flatten(recovered), flatten(replayed))
    )
