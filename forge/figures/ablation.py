"""The ablation board: the same task with each mechanism and without it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .board import Board

if TYPE_CHECKING:  # the other figures are drawn where there is no harness
    from ..harness.ablation import Ablation, Outcome


def ablation_board(ablations: Iterable[Ablation], *, title: str = "The same task") -> Board:
    """What came of each task with its mechanism and without it, as it was seen when it was run."""
    rows = []
    for each in ablations:
        label = f"{each.mechanism.number} {each.mechanism.title}\n{each.task}"
        rows.append((label, (_cell(each.with_it), _cell(each.without))))
    return Board(title, ("mechanism", "with it", "without it"), rows)


def _cell(outcome: Outcome) -> str:
    return f"{'✓' if outcome.well else '✗'} {outcome.seen}"
