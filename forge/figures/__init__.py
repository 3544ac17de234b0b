"""Figures of the course: the board, the dial, the strip, and what the stages show with them."""

from __future__ import annotations

from .ablation import ablation_board
from .attacks import attack_bench
from .audit import audit_board
from .bars import Bars
from .board import Board
from .figure import Block, Dial, Frame, Segment, Strip
from .power_cut import power_cut_dial
from .receipt import receipt_board
from .recovery import recovery_figure

__all__ = [
    "Bars",
    "Block",
    "Board",
    "Dial",
    "Frame",
    "Segment",
    "Strip",
    "ablation_board",
    "attack_bench",
    "audit_board",
    "power_cut_dial",
    "receipt_board",
    "recovery_figure",
]
