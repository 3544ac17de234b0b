"""Mechanism 19, the extraction: which parts of a text are drawings.

A drawing is an `<svg>` element in the prose, or what stands in a fence marked `svg` or `html`. Code of any
other kind is shown as code, also when it speaks of `<svg>`. What has no end is not a drawing yet.
"""

from __future__ import annotations

import re
from typing import NamedTuple

KINDS = ("svg", "html")

BEGINS = re.compile(
    r"(?ims)^```(?P<info>[^\n`]*)\n(?P<body>.*?)(?P<end>^```[ \t]*$|\Z)|(?P<svg><svg(?=[\s>/]))"
)
"""A fence from its first line to its last, or the first characters of an `<svg>` element."""

_TAGS = re.compile(r"(?i)<svg(?=[\s>/])[^>]*?(?P<closed>/?)>|(?P<ends></svg\s*>)")


class Drawing(NamedTuple):
    """What is to be drawn: "svg" or "html", and its source as it was said."""

    kind: str
    source: str


def extract_drawings(text: str) -> tuple[str, tuple[Drawing, ...]]:
    """The text with `[drawing n]` in the place of each drawing, and the drawings in their order."""
    said: list[str] = []
    drawings: list[Drawing] = []
    done = at = 0
    while found := BEGINS.search(text, at):
        kind, source, end = part_of(text, found)
        at = end or found.end()
        if end is None or kind not in KINDS:
            continue
        drawings.append(Drawing(kind, source))
        said += [text[done : found.start()], f"[drawing {len(drawings)}]"]
        done = at
    return "".join([*said, text[done:]]), tuple(drawings)


def part_of(text: str, found: re.Match[str]) -> tuple[str, str, int | None]:
    """The kind of what begins there, its source, and where it ends; None when it has no end."""
    if found["svg"]:
        end = end_of_svg(text, found.start())
        return "svg", text[found.start() : end], end
    return found["info"].strip().lower(), found["body"].strip(), found.end() if found["end"] else None


def end_of_svg(text: str, start: int) -> int | None:
    """Where the `<svg>` element that begins at `start` ends; elements inside it are counted."""
    depth = 0
    for tag in _TAGS.finditer(text, start):
        depth += -1 if tag["ends"] else 0 if tag["closed"] else 1
        if depth == 0:
            return tag.end()
    return None
