"""Recovery: a checkpoint and the events after it must give the state that all events give.

The checkpoint makes recovery fast; only the full replay says whether it is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike

from ..chain import GENESIS, seal
from ..errors import AnchorMismatch, CheckpointAhead, CheckpointOfAnotherRun, RecoveryMismatch, TailGap
from ..log import Anchor
from ..storage import REAL_DISK, Disk
from .checkpoint import CheckpointEnvelope, load_checkpoint
from .mismatch import mismatch, parting
from .models import RunEvent, RunState, reduce_events

__all__ = [
    "RecoveryMismatch",
    "chain_head",
    "recover_state",
    "require_anchor",
    "require_not_ahead",
    "require_same_history",
    "verify_recovery_equivalent",
]


def recover_state(
    checkpoint_path: str | PathLike[str], tail_events: Iterable[RunEvent], *, disk: Disk = REAL_DISK
) -> RunState:
    """The state of the checkpoint after the events that came after it. Without any, the checkpoint's own.

    `TailGap`, a `ValueError`, unless the first event of the tail is the one after the checkpoint: an earlier
    one would be applied twice, a later one would leave a hole.
    """
    state = load_checkpoint(checkpoint_path, disk=disk).state
    tail = list(tail_events)
    if tail and tail[0].sequence != state.version + 1:
        raise TailGap(
            "tail events must continue immediately after the checkpoint",
            f"the checkpoint of {state.run_id} is after event {state.version}, "
            f"the tail starts with event {tail[0].sequence} of {tail[0].run_id}.",
            f"Read the tail again from {state.version + 1}.",
            expected=state.version + 1,
            found=tail[0].sequence,
        )
    return reduce_events(tail, initial=state)


def verify_recovery_equivalent(
    checkpoint_path: str | PathLike[str],
    tail_events: Iterable[RunEvent],
    full_history: Iterable[RunEvent],
    *,
    disk: Disk = REAL_DISK,
) -> RunState:
    """The recovered state, if a replay of the full history gives the same one.

    `RecoveryMismatch`, a `RuntimeError`, if it does not. What `recover_state` and `require_same_history`
    refuse is refused here too.
    """
    tail, history = list(tail_events), list(full_history)
    replayed = reduce_events(history)
    checkpoint = load_checkpoint(checkpoint_path, disk=disk)
    require_same_history(checkpoint, history)
    recovered = recover_state(checkpoint_path, tail, disk=disk)
    if recovered != replayed:
        raise mismatch(parting(checkpoint.state, tail, history))
    return recovered


def require_same_history(checkpoint: CheckpointEnvelope, history: Sequence[RunEvent]) -> None:
    """Refuse a checkpoint that was not taken from this history, which is a run's events from the first on.

    `CheckpointOfAnotherRun` and `CheckpointAhead` say so by name; `AnchorMismatch` when the first events are
    not, hash by hash, those that the checkpoint's anchor remembers.
    """
    state, run_id = checkpoint.state, history[0].run_id
    if state.run_id != run_id:
        raise CheckpointOfAnotherRun(
            "checkpoint is of another run",
            f"it is of {state.run_id}, the history is of {run_id}.",
            f"Find the checkpoint of {run_id}, or replay the whole history.",
            run_id=state.run_id,
            found=run_id,
        )
    require_not_ahead(state, len(history))
    if checkpoint.anchor is not None:
        require_anchor(checkpoint.anchor, history)


def require_not_ahead(state: RunState, count: int) -> None:
    """Refuse a state that has seen more than the `count` events of the log, with `CheckpointAhead`."""
    if state.version <= count:
        return
    raise CheckpointAhead(
        "checkpoint is ahead of the log",
        f"it is after event {state.version} of {state.run_id}, the log ends with event {count}.",
        f"Keep both: what it saw after event {count} is in no log, and an event that takes such a number "
        "would be skipped. Replay the whole history.",
        version=state.version,
        count=count,
    )


def require_anchor(anchor: Anchor, history: Sequence[RunEvent]) -> None:
    """Refuse a history that does not begin, hash by hash, with what the anchor remembers."""
    head = chain_head(history[: anchor.count])
    if anchor.count > len(history):
        facts = f"the history has {len(history)} events, the anchor remembers {anchor.count}."
    elif head != anchor.head:
        facts = (
            f"event {anchor.count} has the hash {head[:12]}…, the anchor remembers {anchor.head[:12]}…: this "
            "event or one before it is not what it was."
        )
    else:
        return
    raise AnchorMismatch(
        "history does not match the anchor of the checkpoint",
        facts,
        "Keep the checkpoint, and take the history from a copy.",
        count=len(history),
        expected=anchor,
        found=head,
    )


def chain_head(events: Iterable[RunEvent]) -> str:
    """The hash that a log of these events ends with."""
    head = GENESIS
    for event in events:
        _, head = seal(event.model_dump(mode="json"), head)
    return head
