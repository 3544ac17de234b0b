"""The transfer scenes: empty functions that a learner's answer stands in for.

A scene that works with files takes the folder to work in.
"""

from __future__ import annotations

from pathlib import Path

from ..context import CompressedContext
from ..harness.harness import Harness
from ..longrun import Decision, Ledger
from ..memory import MemoryRecord
from ..replay import Deletion
from ..state import CheckpointEnvelope, RecoveryMismatch, RunState, Session
from ..versions import Answer


def office_brief() -> RunState:
    """Stage 1: rebuild the run that wrote a brief, check it, and return its state."""
    raise NotImplementedError("office_brief")


def music_tracks() -> Session:
    """Stage 2: keep the tracks of a song apart, check the session that holds them, and return it."""
    raise NotImplementedError("music_tracks")


def frontend_checkpoint(folder: Path) -> CheckpointEnvelope:
    """Stage 3: save the checkpoint of a delivery, edit its file, and return what loaded before the edit."""
    raise NotImplementedError("frontend_checkpoint")


def decision_brief(folder: Path) -> RecoveryMismatch:
    """Stage 4: recover a brief with its whole tail and with a short one, and return the mismatch."""
    raise NotImplementedError("decision_brief")


def song_memories(folder: Path) -> tuple[list[MemoryRecord], list[MemoryRecord]]:
    """Stage 5: keep a preference that ends and a run's draft, and return what is found of each at ten."""
    raise NotImplementedError("song_memories")


def release_review() -> tuple[CompressedContext, ValueError]:
    """Stage 6: compress the context of a review, change a permission, and return both, result and refusal."""
    raise NotImplementedError("release_review")


def private_note(folder: Path) -> Deletion:
    """Stage 7: forget a private note, check which summary is gone and which stays, and return the result."""
    raise NotImplementedError("private_note")


def price_list(folder: Path) -> list[Answer]:
    """Capstone 1: keep prices of this year and the next, and return the four answers that were asked for."""
    raise NotImplementedError("price_list")


def crawl_frontier(folder: Path) -> tuple[list[Decision], Ledger]:
    """Capstone 2: crawl pages over a kill and a failure; return three decisions and the ledger on disk."""
    raise NotImplementedError("crawl_frontier")


def library_desk(folder: Path) -> list[Harness]:
    """Capstone 3: three days at the desk of a library, checked; return the three sessions, by their days."""
    raise NotImplementedError("library_desk")
