"""What is kept, what is not, and what goes wrong otherwise: each shown by trying it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import WindowFull
from .features import FEATURES, task_of
from .ledger import Ledger, begun
from .model import Decision, decide
from .night import Night, open_window, run_night, take_step
from .store import load_state, save_state
from .summary import rebuild_context
from .target import Target
from .window import Window

CAPACITY = 9_000
"""Characters of a window in the experiments: room for the task and three steps of talk."""


class Overflow(NamedTuple):
    """What became of a night whose second window began with the raw transcript of its first."""

    opening: int
    rebuilt: int
    error: WindowFull


def restore_raw(work: Path, *, target: Target | None = None) -> Overflow:
    """Begin the second window with all that was said in the first; it does not fit."""
    night = run_night(Night(work, capacity=CAPACITY, target=target), windows=1)
    rebuilt = len(rebuild_context(task_of(FEATURES), night.ledger, FEATURES))
    raw = task_of(FEATURES) + night.windows[0].transcript
    window = open_window(night)
    window.opening = raw
    try:
        for _ in range(3):
            take_step(night, window)
    except WindowFull as error:
        return Overflow(len(raw), rebuilt, error)
    raise AssertionError("the window had room")


class StaleReceipt(NamedTuple):
    """The next step with a receipt of three steps ago in the opening, and with one that was asked for now."""

    receipt: str
    with_stale: Decision
    with_fresh: Decision


def stale_receipt(work: Path, target: Target) -> StaleReceipt:
    """Keep what `git status` says while F02 is half done, finish it and F03, and hand on what was kept."""
    night = Night(work, target=target)
    run_night(night, windows=1, steps=1)
    target.write("F02")
    kept = target.status()
    run_night(night, windows=1, steps=2)
    opening = rebuild_context(task_of(FEATURES), night.ledger, FEATURES)
    return StaleReceipt(kept, decide(opening + kept), decide(opening + target.status()))


def as_told(ledger: Ledger, word: str = "tried") -> str:
    """The state as free text, as it might have been kept."""
    return "".join(f"{feature} was {word} {count} times.\n" for feature, count in ledger.attempts.items())


def tries_in(text: str, feature: str) -> int:
    """How often a feature was tried, dug out of free text; 0 where nothing matches."""
    found = re.search(rf"{feature} was tried (\d+) times", text)
    return int(found[1]) if found else 0


def disk_wins(work: Path, target: Target) -> tuple[Sequence[str], Sequence[str], Decision]:
    """Let memory and disk disagree: what memory calls done, what the disk does, and what is done next."""
    night = run_night(Night(work, target=target), windows=1)
    held = night.ledger.done
    other = Ledger(done=("F01",), attempts={"F01": 1})
    save_state(night.state_dir, other)
    window = open_window(night)
    return held, other.done, decide(window.text)


def five_windows(work: Path, target: Target, *, with_state: bool = True) -> Night:
    """Six windows of one step, and F01 fails in each: a signal only where attempts add up."""
    night = Night(work, with_state=with_state, target=target, succeeds=lambda feature, _: feature != "F01")
    return run_night(night, windows=6, steps=1)


def rolled_back(state_dir: Path, target: Target) -> tuple[int, int]:
    """Try F01 three times, commit after the first, roll the target back: attempts saved, attempts left."""
    ledger = begun(Ledger(), "F01")
    save_state(state_dir, ledger)
    target.write("F01")
    target.commit("F01")
    for _ in range(2):
        ledger = begun(ledger, "F01")
        save_state(state_dir, ledger)
    target.roll_back()
    left = load_state(state_dir)
    return ledger.attempts["F01"], 0 if left is None else left.attempts["F01"]


def all_talk(night: Night) -> str:
    """The task, and everything that was said in a night since then: the full history."""
    windows: Sequence[Window] = night.windows
    return task_of(night.features) + "".join(window.transcript for window in windows)
