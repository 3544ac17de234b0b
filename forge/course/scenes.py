"""The transfer scenes: empty functions that a learner's answer stands in for."""

from __future__ import annotations

from ..state import RunState


def office_brief() -> RunState:
    """Stage 1: rebuild the run that wrote a brief, check it, and return its state."""
    raise NotImplementedError("office_brief")
