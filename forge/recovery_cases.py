"""Four ways to break recovery, and one that works, as arguments for `recovery_strip`.

    recovery_strip(history, len(history), **lossy_codec())

Each is for histories of runs, and each has been somebody's way to write it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .fakes import FakeDisk
from .state.checkpoint import load_checkpoint, save_checkpoint
from .state.models import EventKind, RunEvent, RunState, apply_event

Case = dict[str, Any]

_FILE = Path("checkpoint.json")


def save_to_disk(state: RunState) -> FakeDisk:
    """A disk that holds a checkpoint of the state."""
    disk = FakeDisk()
    save_checkpoint(_FILE, state, disk=disk)
    return disk


def load_from_disk(disk: FakeDisk) -> RunState:
    """The state in the checkpoint on the disk."""
    return load_checkpoint(_FILE, disk=disk).state


def whole_codec() -> Case:
    """Checkpoints as forge saves and loads them: recovery holds everywhere."""
    return {"save": save_to_disk, "load": load_from_disk}


def lossy_codec() -> Case:
    """A codec from before there was a write permission: whatever it was, it loads as the default."""
    kept = ("run_id", "status", "version", "last_event_id", "current_step", "failure_reason")
    return {
        "save": lambda state: {field: getattr(state, field) for field in kept},
        "load": lambda fields: RunState(**fields),
    }


def tail_off_by_one() -> Case:
    """A tail that starts with the last event the checkpoint has seen; the reducer refuses it."""

    def tail(events: Sequence[RunEvent], keyframe: int, _loaded: object) -> Sequence[RunEvent]:
        return events[max(keyframe - 1, 0) :]

    return {**whole_codec(), "tail": tail}


def checkpoint_ahead() -> Case:
    """A checkpoint saved with an event that never reached the log: the next event takes its number.

    The tail starts after the checkpoint's version, so that next event is skipped. Where a later event covers
    its effect nobody notices.
    """

    def save(state: RunState) -> FakeDisk:
        return save_to_disk(
            state.model_copy(update={"version": state.version + 1, "last_event_id": "never logged"})
        )

    def tail(events: Sequence[RunEvent], _keyframe: int, loaded: RunState | None) -> Sequence[RunEvent]:
        return [event for event in events if loaded is None or event.sequence > loaded.version]

    return {"save": save, "load": load_from_disk, "tail": tail}


class NumberedSteps:
    """A reducer that numbers the steps of a run, and keeps the number outside the state."""

    def __init__(self) -> None:
        self.steps = 0

    def __call__(self, state: RunState | None, event: RunEvent) -> RunState:
        """The state after the event, its step as in "2. report"."""
        if event.kind is EventKind.RUN_CREATED:
            self.steps = 0
        after = apply_event(state, event)
        if event.kind is not EventKind.STEP_STARTED:
            return after
        self.steps += 1
        return after.model_copy(update={"current_step": f"{self.steps}. {after.current_step}"})


def hidden_state() -> Case:
    """A reducer that remembers something itself: a checkpoint cannot hold what is not in the state.

    It shows wherever there are steps after the keyframe, until the run ends and stands at no step.
    """
    return {**whole_codec(), "reducer": NumberedSteps()}


CASES: Mapping[str, Callable[[], Case]] = MappingProxyType(
    {
        "lossy codec": lossy_codec,
        "tail off by one": tail_off_by_one,
        "checkpoint ahead of the log": checkpoint_ahead,
        "reducer with hidden state": hidden_state,
    }
)
"""What turns the strip red."""
