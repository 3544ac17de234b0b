"""Where a recovery and a full replay part: the first event after which their states differ, and how."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from ..errors import RecoveryMismatch
from ..wording import show
from .models import RunEvent, RunState, apply_event, reduce_events


class Difference(NamedTuple):
    """A field of the state that a recovery and a full replay disagree about."""

    field: str
    recovered: Any
    replayed: Any

    def __str__(self) -> str:
        return f"{self.field} is {show(self.recovered)} recovered, {show(self.replayed)} replayed"


class Parting(NamedTuple):
    """The event `sequence` is the first after which the states differ, and these are their differences."""

    sequence: int
    differences: tuple[Difference, ...]


def differences(recovered: RunState, replayed: RunState) -> tuple[Difference, ...]:
    """The fields in which two states differ, in the order of the model."""
    theirs = replayed.model_dump(mode="json")
    return tuple(
        Difference(field, value, theirs[field])
        for field, value in recovered.model_dump(mode="json").items()
        if value != theirs[field]
    )


def parting(start: RunState, tail: Sequence[RunEvent], history: Sequence[RunEvent]) -> Parting | None:
    """Where going on from `start` with `tail` parts from replaying `history`; None where it never does.

    Where one of them has no more events, its state stays as it is.
    """
    sequence = start.version
    recovered, replayed = start, reduce_events(history[:sequence])
    for ours, theirs in zip_longest(tail, history[sequence:]):
        if recovered != replayed:
            break
        sequence += 1
        recovered = apply_event(recovered, ours) if ours else recovered
        replayed = apply_event(replayed, theirs) if theirs else replayed
    found = differences(recovered, replayed)
    return Parting(sequence, found) if found else None


def mismatch(where: Parting | None) -> RecoveryMismatch:
    """The error that says where recovery and replay part, and how."""
    words = (
        "checkpoint recovery differs from full event replay; "
        "keep the original checkpoint and inspect the tail boundary"
    )
    if where is None:
        return RecoveryMismatch(words, "applying the tail to the checkpoint once more gives the right state.")
    sequence, found = where
    facts = f"the first difference is after event {sequence}: {'; '.join(map(str, found))}."
    return RecoveryMismatch(words, facts, sequence=sequence, differences=found)
