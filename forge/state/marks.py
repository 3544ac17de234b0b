"""What a timeline marks in the history of a run."""

from __future__ import annotations

from .models import TERMINAL, RunEvent, RunState


def run_marks(_event: RunEvent, before: RunState | None, after: RunState) -> list[str]:
    """The labels at one event: a change of the write permission, and the end of the run."""
    labels = []
    if before is not None and before.write_allowed != after.write_allowed:
        labels.append("▲ write granted" if after.write_allowed else "▲ write revoked")
    if after.status in TERMINAL and (before is None or before.status not in TERMINAL):
        labels.append(f"■ {after.status}")
    return labels
