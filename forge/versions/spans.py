"""Both axes at once: from which event to which each version is active, and on which days it is in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from .events import Event, ImportDocument, RevokeDocument, RevokeMemory, WriteMemory
from .questions import facts
from .states import EMPTY, identity_of, reduce_event


class Span(NamedTuple):
    """One version and what it states: active at the prefixes [from, to), in force on the dates [from, to).

    None is an open side. The fields are those of a `forge.timeline.Rectangle`, in its order.
    """

    row: str
    values: dict[str, Any]
    prefix_from: int
    prefix_to: int | None = None
    date_from: date | None = None
    date_to: date | None = None


def spans(events: Iterable[Event]) -> list[Span]:
    """The spans of all versions of a history, by row. An event that is refused raises `ContractError`."""
    state, ended, current = EMPTY, list[Span](), dict[tuple[str, str], Span]()
    for number, event in enumerate(events, start=1):
        state = reduce_event(state, event)
        key, row = _key(event), row_name(event)
        if key in current:
            ended.append(current.pop(key)._replace(prefix_to=number))
        if isinstance(event, ImportDocument):
            begins, ends = (_date(day) for day in (event.effective_from, event.effective_until))
            says = dict(facts(event.text)) or {"title": event.title}
            current[key] = Span(row, {**says, "version": event.version}, number, None, begins, ends)
        elif isinstance(event, WriteMemory):
            current[key] = Span(row, {"version": event.version, "value": event.value}, number)
    return sorted([*ended, *current.values()], key=lambda span: (span.row, span.prefix_from))


def now_active(before: Mapping[str, int] | None, event: Event) -> dict[str, int]:
    """A reducer for a timeline: the version that is active of each document and memory, by its name.

    It checks nothing. `reduce_event` does, and keeps what is not active as well.
    """
    row = row_name(event)
    others = {name: version for name, version in (before or {}).items() if name != row}
    if isinstance(event, RevokeDocument | RevokeMemory):
        return others
    return {**others, row: getattr(event, "version", 0)}


def row_name(event: Event) -> str:
    """What an event speaks of, for people: a document's id, or a memory's scope and key."""
    if isinstance(event, WriteMemory | RevokeMemory):
        return f"{event.scope}/{event.key}"
    return _key(event)[1]


def _key(event: Event) -> tuple[str, str]:
    if isinstance(event, WriteMemory | RevokeMemory):
        return ("memories", identity_of(event.scope, event.key))
    if isinstance(event, ImportDocument | RevokeDocument):
        return ("documents", event.doc_id)
    raise AssertionError("there are four kinds of event")


def named(event: Event) -> str:
    """An event in a few words: what it does to which version of what."""
    version: int = getattr(event, "version", 0)
    return f"{event.kind.replace('_', ' ')} {row_name(event)}@{version}"


def _date(day: str | None) -> date | None:
    return None if day is None else date.fromisoformat(day)
