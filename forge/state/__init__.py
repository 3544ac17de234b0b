"""Stages 1 to 4: what happened to a run, where it stands, and how it comes back."""

from .checkpoint import (
    CHECKPOINT_SCHEMA_VERSION,
    CheckpointEnvelope,
    LastGood,
    checkpoint_checksum,
    load_checkpoint,
    load_last_good,
    save_checkpoint,
)
from .marks import run_marks
from .models import EventKind, RunEvent, RunState, RunStatus, apply_event, reduce_events
from .recovery import RecoveryMismatch, recover_state, verify_recovery_equivalent
from .session import RecordStatus, RunRecord, Session, finish_run, start_run

__all__ = [
    "CHECKPOINT_SCHEMA_VERSION",
    "CheckpointEnvelope",
    "EventKind",
    "LastGood",
    "RecordStatus",
    "RecoveryMismatch",
    "RunEvent",
    "RunRecord",
    "RunState",
    "RunStatus",
    "Session",
    "apply_event",
    "checkpoint_checksum",
    "finish_run",
    "load_checkpoint",
    "load_last_good",
    "recover_state",
    "reduce_events",
    "run_marks",
    "save_checkpoint",
    "start_run",
    "verify_recovery_equivalent",
]
