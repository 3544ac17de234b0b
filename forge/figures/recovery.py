"""The recovery figure: a strip of checkpoints, from which of them a run could be recovered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..history import History
from ..recovery_strip import Segment as Recovery
from ..recovery_strip import recovery_strip
from ..wording import show
from .figure import Segment, Strip

State = TypeVar("State")


def recovery_figure(
    history: History[State, Any],
    n: int,
    save: Callable[[State], Any],
    load: Callable[[Any], State],
    *,
    title: str = "",
    **case: Any,
) -> Strip:
    """What `recovery_strip` finds, as a strip: ✓ where recovery gives the state at prefix `n`, ✗ where not.

    Those after `n` are ○. `case` is what else `recovery_strip` takes; see `recovery_cases`.
    """
    found = recovery_strip(history, n, save, load, **case)
    every = found[1].keyframe if len(found) > 1 else n + 1
    segments = [_segment(history, recovery) for recovery in found]
    segments += [
        Segment(str(later), "notyet", caption=f"Checkpoint {later} comes after the first {n} events.")
        for later in range(found[-1].keyframe + every, len(history) + 1, every)
    ]
    held = sum(recovery.holds for recovery in found)
    caption = (
        "At each checkpoint the state is saved, loaded, and given the events after it. "
        f"From {held} of {len(found)} checkpoints that leads where a full replay leads."
    )
    return Strip(title or f"Recovery of the state after {n} events", segments, caption=caption)


def _segment(history: History[Any, Any], recovery: Recovery) -> Segment:
    keyframe = recovery.keyframe
    if recovery.holds:
        caption = f"Checkpoint {keyframe} and the events after it give what full replay gives."
        return Segment(str(keyframe), "holds", caption=caption)
    if recovery.refused:
        caption = f"From checkpoint {keyframe} there is no recovery."
        return Segment(str(keyframe), "broken", [("refused", recovery.refused)], caption)
    event = recovery.event or 0
    if event == keyframe:
        where, caption = (
            "as it is loaded",
            f"Checkpoint {keyframe} gives back another state than the run had there.",
        )
    else:
        where = f"after event {event}, {history.describe(event)}"
        caption = f"Recovery from checkpoint {keyframe} goes another way there, and ends in another state."
    facts = [("differs first", where)]
    facts += [
        (field, f"{show(recovered)} recovered, {show(replayed)} replayed")
        for field, recovered, replayed in recovery.differences
    ]
    return Segment(str(keyframe), "broken", facts, caption)
