from __future__ import annotations

from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from forge.figures import receipt_board
from forge.memory import MemoryStore
from forge.replay import DerivedSummaryCache, Receipt, delete_memory_everywhere
from forge.replay.deletion import FileSearched
from tests.replay.runs import CANARY, remember

FILES = (FileSearched(Path("/tmp/a/memory.db"), 3, 0), FileSearched(Path("/tmp/a/summaries.db"), 12, 1))


def test_every_file_that_was_searched_is_listed_with_what_stood_in_it_before_and_after() -> None:
    board = receipt_board(Receipt("found elsewhere", (*FILES, FileSearched(Path("empty.db"), 0, 0))))
    assert list(board.rows) == [
        ("memory.db", (3, 0, "✓ gone")),
        ("summaries.db", (12, 1, "✗ still there")),
        ("empty.db", (0, 0, "✓ never there")),
    ]


@pytest.mark.parametrize(
    ("status", "glyph"),
    [("gone", "✓"), ("pending", "◐"), ("found elsewhere", "✗"), ("too short to search", "○")],
)
def test_the_status_is_said_below_with_its_meaning(status: str, glyph: str) -> None:
    caption = receipt_board(Receipt(status, FILES)).caption  # type: ignore[arg-type]
    assert caption.lower().startswith(f"{glyph} {status}")


def test_no_status_of_a_receipt_is_without_words() -> None:
    for status in get_args(get_type_hints(Receipt)["status"]):
        assert receipt_board(Receipt(status, ())).caption


def test_a_text_too_short_to_search_is_called_neither_gone_nor_there() -> None:
    board = receipt_board(Receipt("too short to search", (FileSearched(Path("memory.db"), 0, 0),)))
    assert board.rows[0][1][2] == "○ not searched"


def test_a_real_deletion_is_shown_file_by_file(tmp_path: Path) -> None:
    with (
        MemoryStore(tmp_path / "memories.db") as store,
        DerivedSummaryCache(tmp_path / "summaries.db") as cache,
    ):
        remember(store)
        cache.put("day", ["note"], f"day: {CANARY}")
        receipt = delete_memory_everywhere(store, cache, "note").receipt
    rows = dict(receipt_board(receipt).rows)
    for name in ("memories.db", "summaries.db"):
        before, after, verdict = rows[name]
        assert isinstance(before, int)
        assert (before > 0, after, verdict) == (True, 0, "✓ gone")
