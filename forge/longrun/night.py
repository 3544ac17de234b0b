"""The night: window after window, each forgetting all that was said in the one before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ..storage import REAL_DISK, Disk
from .features import FEATURES, Feature, task_of
from .ledger import Change, Ledger, apply_change
from .model import Decision, decide
from .store import load_state, remove_temps, repo_folder, save_state, state_folder
from .summary import rebuild_context
from .talk import receipts, thought
from .target import Target, open_target
from .window import Window


def always(_feature: str, _attempt: int) -> bool:
    """Every attempt succeeds."""
    return True


class Step(NamedTuple):
    """What the model decided, and whether the feature had been done before."""

    decision: Decision
    wasted: bool


@dataclass
class Night:
    """A night in its work folder: the ledger as it is held, and what happened."""

    work: Path
    with_state: bool = True
    features: Sequence[Feature] = FEATURES
    succeeds: Callable[[str, int], bool] = always
    capacity: int | None = None
    disk: Disk = REAL_DISK
    target: Target | None = None
    ledger: Ledger = field(default_factory=Ledger)
    windows: list[Window] = field(default_factory=list)
    steps: list[list[Step]] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    @property
    def finished(self) -> int:
        """How many features the ledger calls done."""
        return len(self.ledger.done)

    @property
    def wasted(self) -> int:
        """How many steps went into what had been done before."""
        return sum(step.wasted for window in self.steps for step in window)

    @property
    def state_dir(self) -> Path:
        """The folder of the ledger."""
        return state_folder(self.work)

    def change(self, kind: str, feature: str | None = None) -> None:
        """Change the ledger, and save it before anything else happens."""
        one = Change.model_validate({"kind": kind, "feature": feature})
        self.ledger = apply_change(self.ledger, one)
        save_state(self.state_dir, self.ledger, disk=self.disk)
        self.changes.append(one)


def window_ledger(state_dir: Path, held: Ledger, *, disk: Disk = REAL_DISK) -> Ledger:
    """The ledger that a window begins with: what the disk says, whatever memory holds.

    So the border between two windows may as well be the border between two processes.
    """
    on_disk = load_state(state_dir, disk=disk)
    return held if on_disk is None else on_disk


def open_window(night: Night) -> Window:
    """Begin a window. What was said in the last one is gone, with or without the state layer."""
    night.ledger = window_ledger(night.state_dir, night.ledger, disk=night.disk)
    base = task_of(night.features)
    opening = rebuild_context(base, night.ledger, night.features) if night.with_state else base
    night.change("window_opened")
    night.windows.append(Window(opening, night.capacity))
    night.steps.append([])
    return night.windows[-1]


def take_step(night: Night, window: Window) -> Decision:
    """Ask the model for the next step, and take it. The model is given the text of its window."""
    decision = decide(window.text)
    if decision.feature is None:
        return decision
    night.steps[-1].append(Step(decision, decision.feature in night.ledger.done))
    if decision.act == "verify":
        verify(night, window, decision.feature)
    else:
        work_on(night, window, decision.feature)
    return decision


def work_on(night: Night, window: Window, feature: str) -> None:
    """Do one feature: the ledger says so first, and the outcome last."""
    target = _target(night)
    night.change("begun", feature)
    window.say(f"Started: {feature}\n{thought(feature)}")
    target.write(feature)
    window.say(receipts(feature, target.status()))
    if night.succeeds(feature, night.ledger.attempts[feature]):
        target.commit(feature)
        night.change("finished", feature)
        window.say(f"all tests pass; committed as the new green point\nDone: {feature}\n")
    else:
        target.roll_back()
        night.change("failed", feature)
        window.say(f"1 test fails; the target is back at its last green point\nFailed: {feature}\n")


def verify(night: Night, window: Window, feature: str) -> None:
    """Find out how an attempt ended that nobody saw the end of: the target knows."""
    target = _target(night)
    night.change("verifying", feature)
    target.roll_back()
    held = target.holds(feature)
    night.change("finished" if held else "failed", feature)
    window.say(f"$ git log --oneline -- features/{feature}.txt\n{'Done' if held else 'Failed'}: {feature}\n")


def run_night(night: Night, *, windows: int = 3, steps: int = 3) -> Night:
    """Run so many windows of so many steps, or until the model stops. An earlier night is gone on with."""
    night.disk.make_folder(night.state_dir)
    remove_temps(night.state_dir, disk=night.disk)
    for _ in range(windows):
        window = open_window(night)
        for _ in range(steps):
            if take_step(night, window).act == "stop":
                return night
    return night


def _target(night: Night) -> Target:
    if night.target is None:
        night.target = open_target(repo_folder(night.work))
    return night.target
