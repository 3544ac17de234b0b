"""Values, paths and states as text, and the static tables that stand where no widget can.

The wording lives in Python only: the browser receives text and moves it, so a live view and a static table
never disagree.
"""

from __future__ import annotations

import json
import math
import re
from html import escape
from typing import Any, NamedTuple

from ..history import History, Path, compare, flatten
from ..lines import ScanEnd
from .trust import stop_of

SHOWN_EVENTS = 12
SHOWN_ROWS = 60
SHOWN_CHARACTERS = 72
GLYPHS = {"added": "+", "changed": "◐", "removed": "−"}

_LIKE_ANOTHER_VALUE = re.compile(
    r"|null|true|false|NaN|-?Infinity|\{\}|\[\]|-?\d.*|\".*|\s.*|.*\s", re.DOTALL
)
_SIMPLE_KEY = re.compile(r"[^\s.\[\]\"]+")
# Controls, line and paragraph separators, direction marks, zero-width spaces, halves of characters. The two
# joiners are left out: Persian, Hindi and many emoji are written with them. A fixed list, because what
# Python calls printable grows with every version.
_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)


def show(value: Any) -> str:
    """A leaf of a state as one line of text; two leaves that differ never read the same.

    Text is quoted where it would read as another value, such as `"false"` or `"3"`, and where it holds
    characters that cannot be seen: those are written as their JSON escapes.
    """
    if type(value) is int:
        return str(value)
    if isinstance(value, float):
        sign = "-" if value < 0 else ""
        return repr(value) if math.isfinite(value) else "NaN" if math.isnan(value) else f"{sign}Infinity"
    if not isinstance(value, str):
        return json.dumps(value)
    if _LIKE_ANOTHER_VALUE.fullmatch(value) or _UNSEEN.search(value):
        return visible(json.dumps(value, ensure_ascii=False))
    return value


def visible(text: str) -> str:
    """The text with the JSON escape of each character that cannot be seen."""
    return _UNSEEN.sub(lambda match: json.dumps(match[0])[1:-1], text)


def path_text(path: Path) -> str:
    """A path as a learner writes it: `payload.steps[0]`; a key with a dot, a bracket or a space is quoted."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _SIMPLE_KEY.fullmatch(part) and not _UNSEEN.search(part):
            text += f".{part}" if text else part
        else:
            text += f"[{visible(json.dumps(part, ensure_ascii=False))}]"
    return text or "value"


class Static(NamedTuple):
    """What both static tables say: the last state, the events that led to it, and notes."""

    caption: str
    state: list[tuple[str, str, str, str]]
    """Glyph, path, value, and the value before the last event if that changed it."""
    events: list[tuple[str, str, str, str]]
    """Glyph of the current event, number, name, marks."""
    notes: list[str]


def static(history: History[Any, Any], title: str, trust: ScanEnd | None = None) -> Static:
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
    return Static(caption, state[:SHOWN_ROWS], events, notes)


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
    tables += f"<table><caption>Events</caption>{events}</table>" if content.events else ""
    return tables + "".join(f"<p>{escape(note)}</p>" for note in content.notes)


def _rows(head: tuple[str, ...], rows: list[tuple[str, str, str, str]]) -> str:
    titles = "".join(f"<th>{title}</th>" for title in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell.strip())}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<thead><tr>{titles}</tr></thead><tbody>{body}</tbody>"
