"""Stage 7: the whole text of the errors of a log's lines, and their evidence."""

from __future__ import annotations

from pathlib import Path

from forge import lines
from forge.errors import DamagedRecord

PATH = Path("runs/run-1.jsonl")


def test_a_line_that_is_no_record_is_shown_by_its_first_24_bytes():
    place = lines.Place(number=1, head="a" * 64, offset=100)
    error = lines.refusal(b"x" * 30, True, place, PATH, lambda size: b"")
    assert type(error) is DamagedRecord
    assert str(error) == (
        f"journal record hash mismatch at line 2: byte 100 of run-1.jsonl: {b'x' * 24!r} is not a record. "
        "Take it from a copy; scan() gives the 1 whole record before it."
    )
    assert error.evidence == {"path": str(PATH), "line": 2, "offset": 100}
