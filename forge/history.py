"""Any sequence of events and its reducer, seekable at any prefix.

A prefix `n` is the first `n` events: prefix 0 is the state before any event, prefix `len(history)` the state
now. The reducer runs once over all events when the history is made, and the state after every 100th event
is kept as a keyframe: asking for a prefix replays at most 99 events.
"""

from __future__ import annotations

import dataclasses
import enum
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Generic, Literal, NamedTuple, NoReturn, TypeVar

from pydantic import BaseModel

from .errors import EventRefused, ForgeError, InvalidValue
from .wording import show

State = TypeVar("State")
Event = TypeVar("Event")
Path = tuple[str | int, ...]
"""Where a value stands in a state: keys and list positions from the outside in; `()` is the state itself."""

KEYFRAME_EVERY = 100
"""Events from one keyframe to the next. Every 100, seeking in 20,000 events takes under a millisecond; every
1,000, forty times that."""


class Change(NamedTuple):
    """One value that differs between two prefixes; `before` is None when added, `after` when removed."""

    path: Path
    kind: Literal["added", "changed", "removed"]
    before: Any
    after: Any


class Refusal(NamedTuple):
    """The first event, counted from 1, that the reducer refused, and what it raised."""

    number: int
    error: Exception

    @property
    def reason(self) -> str:
        """The error as a sentence; with its class where it is not one of forge."""
        return (
            str(self.error)
            if isinstance(self.error, ForgeError)
            else f"{type(self.error).__name__}: {self.error}"
        )


class Step(NamedTuple, Generic[State, Event]):
    """Event `number`, counted from 1, and the states on both sides of it."""

    number: int
    event: Event
    before: State | None
    after: State


class History(Generic[State, Event]):
    """Events and a reducer, read at any prefix.

    `reducer(state, event)` returns the next state and never changes the one it was given. A state is a
    pydantic model, a dataclass, a mapping or any plain value. `initial` is the state before the first event.
    `describe(event)` says what an event is called. `marks(event, before, after)` names what a timeline should
    mark at it: one label, several, or None. A label begins with its glyph: "▲ write revoked".

    An event that the reducer refuses does not stop the history from being made: `refusal` tells which and
    why, and the prefixes before it (up to `last`) can be read.
    """

    def __init__(
        self,
        events: Iterable[Event],
        reducer: Callable[[State | None, Event], State],
        *,
        initial: State | None = None,
        describe: Callable[[Event], str] | None = None,
        marks: Callable[[Event, State | None, State], str | Sequence[str] | None] | None = None,
    ) -> None:
        self.events = tuple(events)
        self.reducer = reducer
        self._describe = describe or describe_event
        self._marks = marks
        self._keyframes: list[State | None] = [initial]
        self.refusal: Refusal | None = None
        self.last = self._build(initial)
        """The last prefix that has a state."""

    def _build(self, state: State | None) -> int:
        kept = [flatten(state)]
        for number, event in enumerate(self.events, start=1):
            try:
                state = self.reducer(state, event)
            except Exception as error:
                self.refusal = Refusal(number, error)
                break
            if number % KEYFRAME_EVERY == 0:
                self._keyframes.append(state)
                kept.append(flatten(state))
        # A keyframe that changed after it was kept would make every later answer wrong.
        for place, (keyframe, leaves) in enumerate(zip(self._keyframes, kept, strict=True)):
            if compare(leaves, flatten(keyframe)):
                raise InvalidValue(
                    "a reducer must not change the state it is given",
                    f"the state after {place * KEYFRAME_EVERY} events was changed by a later one.",
                    "Return a new state instead.",
                )
        return self.refusal.number - 1 if self.refusal else len(self.events)

    def __len__(self) -> int:
        return len(self.events)

    def __repr__(self) -> str:
        refused = f", refused={self.refusal.number}" if self.refusal else ""
        return f"History(events={len(self)}{refused})"

    def at(self, n: int) -> State | None:
        """The state after the first `n` events; `n` is 0 to `len(self)`, and `at(0)` is `initial`.

        `InvalidValue` for any other `n`; `EventRefused` where the reducer refused an event on the way.
        """
        if type(n) is not int or not 0 <= n <= len(self):
            raise InvalidValue(
                "no such prefix",
                f"the history has the prefixes 0 to {len(self)}, found {show(n)}.",
                path="n",
                expected=f"0 to {len(self)}",
                found=show(n),
            )
        if n > self.last:
            self._refuse(n)
        place = n // KEYFRAME_EVERY
        state = self._keyframes[place]
        for event in self.events[place * KEYFRAME_EVERY : n]:
            state = self.reducer(state, event)
        return state

    def _refuse(self, n: int) -> NoReturn:
        assert self.refusal is not None
        number = self.refusal.number
        raise EventRefused(
            "the history stops at a refused event",
            f"no state after {n} events, event {number} was refused ({self.refusal.reason}).",
            f"Ask for a prefix from 0 to {self.last}.",
            number=number,
        ) from self.refusal.error

    def walk(self, start: int = 0, stop: int | None = None) -> Iterator[Step[State, Event]]:
        """The events after prefix `start` up to prefix `stop` (default `last`), each with its states.

        Every event is reduced once, so walking a whole history costs what replaying it costs.
        """
        before = self.at(start)
        for number in range(start + 1, (self.last if stop is None else min(stop, self.last)) + 1):
            event = self.events[number - 1]
            after = self.reducer(before, event)
            yield Step(number, event, before, after)
            before = after

    def diff(self, a: int, b: int) -> list[Change]:
        """What differs from prefix `a` to prefix `b`, value by value."""
        return compare(flatten(self.at(a)), flatten(self.at(b)))

    def find(self, predicate: Callable[[State], bool]) -> list[int]:
        """The prefixes whose state satisfies `predicate`; a prefix without a state is passed over."""
        states = itertools.chain([self.at(0)], (step.after for step in self.walk()))
        return [n for n, state in enumerate(states) if state is not None and predicate(state)]

    def extends(self, other: History[Any, Any]) -> bool:
        """Whether this history is the other one, or the other one and then more events."""
        same = (self.reducer, self._describe, self._marks) == (other.reducer, other._describe, other._marks)
        begins = self.events[: len(other)] == other.events
        return same and begins and not compare(flatten(self.at(0)), flatten(other.at(0)))

    def describe(self, number: int) -> str:
        """What event `number`, counted from 1, is called."""
        return self._describe(self._event(number))

    def marks(self, number: int) -> tuple[str, ...]:
        """The labels that a timeline shows at event `number`, counted from 1."""
        self._event(number)
        if number > self.last:
            return ()
        return self.labels(next(self.walk(number - 1, number)))

    def labels(self, step: Step[State, Event]) -> tuple[str, ...]:
        """The labels of one step of `walk`; what `marks` gives, without seeking."""
        labels = self._marks(step.event, step.before, step.after) if self._marks else None
        if labels is None:
            return ()
        return (labels,) if isinstance(labels, str) else tuple(labels)

    def _event(self, number: int) -> Event:
        if type(number) is not int or not 1 <= number <= len(self):
            raise InvalidValue(
                "no such event",
                f"the history has {len(self)} events, counted from 1, found {show(number)}.",
                path="number",
                expected=f"1 to {len(self)}",
                found=show(number),
            )
        return self.events[number - 1]


def describe_event(event: Any) -> str:
    """The kind of an event and its step, where it has them; otherwise the event as text."""
    kind, payload = _field(event, "kind"), _field(event, "payload")
    if kind is None:
        return _text(event)
    step = _field(payload, "step")
    return f"{_leaf(kind)} {step}" if isinstance(step, str) else str(_leaf(kind))


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


_PLAIN = frozenset({type(None), bool, int, float, str})


def flatten(value: object) -> dict[Path, Any]:
    """The values in `value` by their path, in order: None, bool, int, float, text, or an empty list or dict.

    None or an empty mapping as a whole has no values. A pydantic model is read with
    `model_dump(mode="json")`, a dataclass by its fields, a set in sorted order; an object of any other type
    is its `str()`.
    """
    leaves: dict[Path, Any] = {}
    if value is not None:
        _collect(value, (), leaves)
    return {} if leaves == {(): {}} else leaves


def _collect(value: object, path: Path, leaves: dict[Path, Any]) -> None:
    if type(value) in _PLAIN:  # most values are, and every event of a long history comes by here
        leaves[path] = value
        return
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    elif isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    elif isinstance(value, Set):
        value = sorted(value, key=lambda item: str(_leaf(item)))
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            _collect(item, (*path, key if type(key) in (str, int) else str(_leaf(key))), leaves)
    elif isinstance(value, list | tuple) and value:
        for place, item in enumerate(value):
            _collect(item, (*path, place), leaves)
    else:
        leaves[path] = _leaf(value)


def _leaf(value: object) -> Any:
    if isinstance(value, enum.Enum):
        return _leaf(value.value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping | list | tuple):
        return {} if isinstance(value, Mapping) else []
    return _text(value)


def _text(value: object) -> str:
    # The default repr is an address, which would differ on every run.
    plain = type(value).__str__ is object.__str__ and type(value).__repr__ is object.__repr__
    return f"<{type(value).__name__}>" if plain else str(value)


def compare(before: Mapping[Path, Any], after: Mapping[Path, Any]) -> list[Change]:
    """The values that differ between two flattened states. `True` and `1` differ; two NaN do not."""
    changes = []
    for path, old in before.items():
        if path not in after:
            changes.append(Change(path, "removed", old, None))
        elif not _same(old, after[path]):
            changes.append(Change(path, "changed", old, after[path]))
    changes += [Change(path, "added", None, new) for path, new in after.items() if path not in before]
    return changes


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and (a == b or (a != a and b != b))
