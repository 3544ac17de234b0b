"""Panels: what the workbook says, as HTML for JupyterLab and as text that never changes."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Mark = Literal["holds", "broken", "changed", "notyet", "you"]

GLYPHS: dict[Mark, str] = {"holds": "✓", "broken": "✗", "changed": "◐", "notyet": "○", "you": "→"}

# Mid-tones that keep a contrast of 3:1 on a white and on a near-black page: an inline style cannot ask which.
_TONES: dict[Mark, str] = {
    "holds": "#0b857f",
    "broken": "#d2480f",
    "changed": "#a87400",
    "notyet": "#7d8590",
    "you": "var(--jp-brand-color1, #1f6feb)",
}
_TEXT = "color:var(--jp-content-font-color1,inherit)"
_MUTED = "color:var(--jp-content-font-color2,#656d76)"
_MONO = "font-family:var(--jp-code-font-family,ui-monospace,monospace);font-size:13px"


@dataclass(frozen=True)
class Panel:
    """One thing the workbook has to say.

    `mark` gives its meaning, `title` says what happened and `meta` where; `facts` are (label, value) pairs,
    `points` (label, sentence) pairs, `lines` short paragraphs, `next` the one thing to do now. Text between
    backticks is code, and a value is code throughout.
    """

    mark: Mark
    title: str
    meta: str = ""
    facts: Sequence[tuple[str, str]] = ()
    points: Sequence[tuple[str, str]] = ()
    lines: Sequence[str] = ()
    next: str = ""

    def text(self) -> str:
        """The panel as plain text."""
        head = f"{GLYPHS[self.mark]} {self.title}" + (f"  [{self.meta}]" if self.meta else "")
        pairs = [*self.facts, *self.points]
        width = max((len(label) for label, _ in pairs), default=0)
        body = [
            *(_pair(label.ljust(width), value) for label, value in pairs),
            *self.lines,
            *([f"{GLYPHS['you']} {self.next}"] if self.next else []),
        ]
        return "\n".join([head, *("  " + line.replace("\n", "\n  ") for line in body)])

    def html(self) -> str:
        """The panel as HTML with inline style: no script, no style sheet, both themes."""
        tone = _TONES[self.mark]
        aside = f"margin-left:auto;font-weight:400;font-size:12px;white-space:nowrap;{_MUTED}"
        meta = f'<span style="{aside}">{code(self.meta)}</span>'
        head = (
            f'<div style="display:flex;gap:8px;align-items:baseline;font-weight:600">'
            f'<span style="color:{tone};width:1.1em;text-align:center">{GLYPHS[self.mark]}</span>'
            f"<span>{code(self.title)}</span>{meta if self.meta else ''}</div>"
        )
        parts = [head]
        if self.facts or self.points:
            parts.append(pairs_html(self.facts, self.points))
        parts += [f'<div style="margin:4px 0;max-width:72ch">{code(line)}</div>' for line in self.lines]
        if self.next:
            link = "color:var(--jp-content-link-color,#1f6feb)"
            parts.append(f'<div style="margin-top:4px;{link}">{code(self.next)}</div>')
        return frame("".join(parts), tone)

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        return {"text/plain": self.text(), "text/html": self.html()}

    def __repr__(self) -> str:
        return self.text()


def frame(inner: str, tone: str) -> str:
    """The thin rule on the left that makes HTML a panel."""
    style = f"border-left:3px solid {tone};padding:4px 0 4px 14px;margin:4px 0;max-width:760px;{_TEXT}"
    return f'<div style="{style};font-size:14px;line-height:1.5;text-align:left">{inner}</div>'


def pairs_html(facts: Iterable[tuple[str, str]], points: Iterable[tuple[str, str]]) -> str:
    """Labels with values in the code font, then labels with sentences, in two columns."""
    cell = "padding:0 14px 2px 0;border:0;text-align:left;vertical-align:baseline;background:none"
    value = f"{cell};{_MONO};line-height:21px;white-space:pre-wrap;word-break:break-word"
    pairs = [
        *((label, f'<td style="{value}">{html.escape(text)}</td>') for label, text in facts),
        *((label, f'<td style="{cell};white-space:pre-wrap">{code(text)}</td>') for label, text in points),
    ]
    rows = "".join(
        f'<tr style="background:none"><td style="{cell};{_MUTED};white-space:nowrap">{code(label)}</td>'
        f"{second}</tr>"
        for label, second in pairs
    )
    return f'<table style="border-collapse:collapse;margin:4px 0;border:0;font-size:14px">{rows}</table>'


def code(text: str) -> str:
    """Text as HTML, with what stands between backticks in the code font."""
    escaped = html.escape(text)
    return re.sub(r"`([^`]+)`", rf'<code style="{_MONO}">\1</code>', escaped)


def _pair(label: str, value: str) -> str:
    return f"{label}  " + value.replace("\n", "\n" + " " * (len(label) + 2))


@dataclass(frozen=True)
class Panels:
    """Several panels shown as one output."""

    panels: Sequence[Panel]

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        return {
            "text/plain": "\n\n".join(panel.text() for panel in self.panels),
            "text/html": "".join(panel.html() for panel in self.panels),
        }

    def __repr__(self) -> str:
        return "\n\n".join(panel.text() for panel in self.panels)
