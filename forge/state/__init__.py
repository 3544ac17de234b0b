"""Stages 1 to 4: what happened to a run, and where it stands."""

from .marks import run_marks
from .models import EventKind, RunEvent, RunState, RunStatus, apply_event, reduce_events

__all__ = ["EventKind", "RunEvent", "RunState", "RunStatus", "apply_event", "reduce_events", "run_marks"]
