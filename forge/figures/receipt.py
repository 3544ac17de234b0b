"""The forgetting receipt as a board: every file that was searched, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board import Board, Row

if TYPE_CHECKING:  # the tree that stage 7 starts from has no forge.replay
    from ..replay.deletion import Receipt

_STATUS = {
    "gone": "✓ Gone: the files were written anew, and nothing of the text is found in them.",
    "pending": "◐ Pending: another program keeps the old bytes while it reads. Delete again when it is done.",
    "found elsewhere": "✗ Found elsewhere: the text is stored a second time, under another id.",
    "too short to search": "○ Too short to search: the files were written anew, and finding so short a text "
    "would show nothing.",
}


def receipt_board(receipt: Receipt, *, title: str = "The forgetting receipt") -> Board:
    """How many pieces of the deleted text stood in each file before the deletion, and how many after it."""
    searched = receipt.status != "too short to search"
    rows: list[Row] = [
        (path.name, (before, after, _verdict(before, after) if searched else "○ not searched"))
        for path, before, after in receipt.files
    ]
    columns = ("file searched", "pieces before", "pieces after", "")
    return Board(title, columns, rows, _STATUS[receipt.status])


def _verdict(before: int, after: int) -> str:
    if after:
        return "✗ still there"
    return "✓ gone" if before else "✓ never there"
