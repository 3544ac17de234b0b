"""Whose a file is, by where it lies: as people name folders, or as a learning platform packs them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

_FLAT = re.compile(r"(?P<name>.+?)__.+\.ipynb")
_CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<number>\d+)_\d+_.+", re.IGNORECASE)
_MOODLE = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_file(?:_.*)?")


class Layout(StrEnum):
    """How submissions lie in their folder or zip."""

    ANY = "any"
    NESTED = "nested"
    FLAT = "flat"
    CANVAS = "canvas"
    MOODLE = "moodle"


class Platform(StrEnum):
    """A learning platform that imports grades."""

    CANVAS = "canvas"
    MOODLE = "moodle"


SHAPES = {
    Layout.ANY: "<learner>/… or <learner>__<stem>.ipynb",
    Layout.NESTED: "<learner>/…",
    Layout.FLAT: "<learner>__<stem>.ipynb",
    Layout.CANVAS: "<name>_<number>_<number>_<file>",
    Layout.MOODLE: "<Full Name>_<number>_assignsubmission_file/…",
}
"""What each layout looks like."""


def owner(layout: Layout, parts: Sequence[str]) -> tuple[str, str]:
    """The learner that a path names, and the number that the platform gave; "" where it names none.

    Two learners may have one name, so on a platform the number is part of it.
    """
    match layout:
        case Layout.CANVAS:
            found = _CANVAS.fullmatch(parts[-1])
        case Layout.MOODLE:
            found = _MOODLE.fullmatch(parts[0] if len(parts) == 1 else parts[-2]) or _MOODLE.match(parts[0])
        case _:
            nested = parts[0] if len(parts) > 1 and layout != Layout.FLAT else ""
            flat = _FLAT.fullmatch(parts[-1] if layout == Layout.FLAT else parts[0])
            return nested or (flat["name"] if flat and layout != Layout.NESTED else ""), ""
    return (f"{found['name']} {found['number']}", found["number"]) if found else ("", "")
