"""The four meanings, each a glyph and a colour, as figures write them into text and inline HTML."""

from __future__ import annotations

import html
import re
from types import MappingProxyType
from typing import Literal

Mark = Literal["holds", "broken", "changed", "notyet"]

GLYPHS: MappingProxyType[Mark, str] = MappingProxyType(
    {"holds": "✓", "broken": "✗", "changed": "◐", "notyet": "○"}
)
TONES: MappingProxyType[Mark, str] = MappingProxyType(
    {"holds": "#0b9a92", "broken": "#e8480f", "changed": "#c98a00", "notyet": "#7d8590"}
)
MONO = "font-family:var(--jp-code-font-family,ui-monospace,monospace);font-size:13px"

CUT = "‸"
"""Where a text was cut."""


def mark_of(text: str) -> Mark | None:
    """The meaning of the glyph that a text begins with; None without one."""
    return next((mark for mark, glyph in GLYPHS.items() if text.startswith(glyph)), None)


def rich(text: str) -> str:
    """Text as HTML: in colour the glyph it begins with and the place of a cut, as code what is in backticks.

    A long word may be broken behind an underscore or a slash, and one that is longer than any word anywhere.
    """
    mark = mark_of(text)
    rest = text.removeprefix(GLYPHS[mark]).removeprefix(" ") if mark else text
    glyph = f'<span style="color:{tone(mark)};font-weight:600">{GLYPHS[mark]}</span>&nbsp;' if mark else ""
    shown = html.escape(_BREAKS.sub("\\g<0>\0", rest)).replace("\0", "<wbr>")
    shown = _CODE.sub(rf'<code style="{MONO};background:none;padding:0">\1</code>', shown)
    return glyph + shown.replace(CUT, f'<span style="color:{tone("broken")}">{CUT}</span>')


def tone(mark: Mark) -> str:
    """The colour of a glyph, mixed with the theme's text: dark on a light page and light on a dark one."""
    return f"color-mix(in srgb,{TONES[mark]} 70%,var(--jp-content-font-color1,currentColor))"


def plain(text: str) -> str:
    """Text without the backticks round its code."""
    return _CODE.sub(r"\1", text)


_CODE = re.compile(r"`([^`]+)`")
_BREAKS = re.compile(r"[_/](?=\w)|\w{24}(?=\w)")
