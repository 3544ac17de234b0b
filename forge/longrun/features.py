"""What the agent is to build in its night, and the task as every window is told it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

PATIENCE = 5
"""So many starts of one feature without an end are a signal: it is left alone, and somebody has to look."""


class Feature(NamedTuple):
    """One thing to build. The id stays; the text may be reworded, so nothing is ever kept by it."""

    id: str
    text: str


_TEXTS = (
    "list of notes, create a note, edit a note, delete a note, title of a note, date of a note, "
    "search by word, search by date, tags on a note, list of tags, rename a tag, merge two tags, "
    "pinned notes, archive a note, restore a note, empty the archive, sort by date, sort by title, "
    "pages of twenty, dark theme, large print, keyboard shortcuts, undo, redo, import from text, "
    "export to text, share by link, revoke a link, sign up, sign in, sign out, change password, "
    "delete account, usage limits, health page, access log, error page, daily backup, "
    "restore a backup, help page"
)

FEATURES = tuple(Feature(f"F{n:02}", text) for n, text in enumerate(_TEXTS.split(", "), start=1))
"""The forty features of the night, F01 to F40, in the order in which they are to be built."""


def task_of(features: Sequence[Feature]) -> str:
    """The task with its list: the text that every window begins with, with or without a state layer."""
    return "\n".join(
        [
            "Task: build the features of this list in its order, one a step.",
            f"Patience: {PATIENCE} starts of one feature; then leave it alone.",
            *(f"- {feature.id}: {feature.text}" for feature in features),
            "",
        ]
    )
