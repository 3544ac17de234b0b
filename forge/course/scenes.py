"""The transfer scenes: empty functions that a learner's answer stands in for.

A scene that works with files takes the folder to work in.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..state import RunState


def office_brief() -> RunState:
    """Stage 1: rebuild the run that wrote a brief, check it, and return its state."""
    raise NotImplementedError("office_brief")


def music_tracks() -> Any:
    """Stage 2: hold the attempts at a piece of music apart in one session, and return the session."""
    raise NotImplementedError("music_tracks")


def frontend_checkpoint(folder: Path) -> Any:
    """Stage 3: save the checkpoint of a delivery, edit the file, and check that it is refused."""
    raise NotImplementedError("frontend_checkpoint")


def decision_brief(folder: Path) -> Any:
    """Stage 4: recover a run that wrote a decision brief with a tail that lacks its last event."""
    raise NotImplementedError("decision_brief")


def song_memories(folder: Path) -> Any:
    """Stage 5: keep a preference and a take's note apart, and ask for both after the first expired."""
    raise NotImplementedError("song_memories")


def release_review() -> Any:
    """Stage 6: compress the context of a review, change a permission, and check that it shows."""
    raise NotImplementedError("release_review")


def private_note(folder: Path) -> Any:
    """Stage 7: delete a private note, and check which summaries are gone and which are kept."""
    raise NotImplementedError("private_note")
