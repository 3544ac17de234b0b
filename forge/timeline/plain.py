"""The static tables that stand where no widget can: the last state and its events, as text and as HTML."""

from __future__ import annotations

from html import escape
from typing import Any, NamedTuple

from ..history import History, compare, flatten
from ..lines import ScanEnd
from .dates import Dates, Rectangle
from .texts import path_text, show, visible
from .trust import stop_of

SHOWN_EVENTS = 12
SHOWN_ROWS = 60
SHOWN_CHARACTERS = 72
GLYPHS = {"added": "+", "changed": "◐", "removed": "−"}


class Static(NamedTuple):
    """What both static tables say: the last state, the events that led to it, and notes."""

    caption: str
    state: list[tuple[str, str, str, str]]
    """Glyph, path, value, and the value before the last event if that changed it."""
    events: list[tuple[str, str, str, str]]
    """Glyph of the current event, number, name, marks."""
    notes: list[str]
    rows: list[tuple[str, str, str, str]] = []  # noqa: RUF012
    """Of a second axis what is in force: nothing, row, values, the dates."""
    rows_caption: str = ""


def static(
    history: History[Any, Any], title: str, trust: ScanEnd | None = None, dates: Dates | None = None
) -> Static:
    """The content of the static tables; the same for the same history, always and everywhere."""
    count, stop = len(history), stop_of(history, trust)
    last = stop.number - 1 if stop else count
    after, before = flatten(history.at(last)), flatten(history.at(max(0, last - 1)))
    changes = {change.path: change for change in compare(before, after)}
    state = []
    for path in dict.fromkeys([*after, *changes]):
        change = changes.get(path)
        value = show(after[path]) if path in after else ""
        was = show(before[path]) if change and path in before else ""
        state.append((GLYPHS[change.kind] if change else " ", path_text(path), _cut(value), _cut(was)))
    until = min(count, last + 1)
    events = [
        (
            "▸" if n == last else "✗" if n > last else " ",
            str(n),
            _cut(visible(history.describe(n))),
            _cut(visible(", ".join(history.marks(n)))),
        )
        for n in range(max(1, until - SHOWN_EVENTS + 1), until + 1)
    ]
    notes = [f"… and {len(state) - SHOWN_ROWS} more values"] if len(state) > SHOWN_ROWS else []
    if trust:
        notes.append(f"{'◐' if trust.error else '✓'} The chain holds up to record {trust.count}.")
    notes += [visible(f"✗ {stop.title}: {stop.reason}")] if stop else []
    notes += ["○ No event yet."] if not count else []
    caption = f"{visible(title) or 'Timeline'}: the state after {last} of {count} events"
    rows = [_in_force(rectangle) for rectangle in dates.in_force(last)[:SHOWN_ROWS]] if dates else []
    rows_caption = f"in force on {dates.at}, as known after {last}" if dates else ""
    return Static(caption, state[:SHOWN_ROWS], events, notes, rows, rows_caption)


def _in_force(rectangle: Rectangle) -> tuple[str, str, str, str]:
    values = ", ".join(f"{path_text(path)} {show(leaf)}" for path, leaf in flatten(rectangle.values).items())
    since, until = rectangle.date_from or "", rectangle.date_to or ""
    return " ", _cut(visible(rectangle.row)), _cut(values), f"{since} – {until}".strip()


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def text_table(content: Static) -> str:
    """The static tables as aligned text."""
    state = [(glyph, path, value, f"was {was}" if was else "") for glyph, path, value, was in content.state]
    events = [
        (glyph, number.rjust(len(content.events[-1][1])), name, marks)
        for glyph, number, name, marks in content.events
    ]
    return "\n".join(
        [
            content.caption,
            *_aligned(state),
            *([content.rows_caption] if content.rows_caption else []),
            *_aligned(content.rows),
            *(["events"] if events else []),
            *_aligned(events),
            *content.notes,
        ]
    )


def _aligned(rows: list[tuple[str, str, str, str]]) -> list[str]:
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(4)]
    return [
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def html_table(content: Static) -> str:
    """The static tables as plain HTML: no style, no script, nothing that a viewer would strip."""
    state = _rows(("", "value", "is", "was"), content.state)
    events = _rows(("", "event", "name", "marks"), content.events)
    tables = f"<table><caption>{escape(content.caption)}</caption>{state}</table>" if content.state else ""
    tables = tables or f"<p>{escape(content.caption)}</p>"
    if content.rows_caption:
        rows = _rows(("", "row", "values", "in force"), content.rows)
        tables += f"<table><caption>{escape(content.rows_caption)}</caption>{rows}</table>"
    tables += f"<table><caption>Events</caption>{events}</table>" if content.events else ""
    return tables + "".join(f"<p>{escape(note)}</p>" for note in content.notes)


def _rows(head: tuple[str, ...], rows: list[tuple[str, str, str, str]]) -> str:
    titles = "".join(f"<th>{title}</th>" for title in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell.strip())}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<thead><tr>{titles}</tr></thead><tbody>{body}</tbody>"
