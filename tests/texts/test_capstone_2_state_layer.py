"""Capstone 2: the whole texts of forge's errors, which an answer may word otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from forge.errors import LedgerDamaged
from forge.fakes import FakeDisk
from forge.longrun import Ledger, load_state
from forge.longrun.store import encode

STATE = Path("work/state")
HINT = "Nothing was repaired. Look at the file, or bring it back from a copy, before the run goes on."


@pytest.mark.parametrize(
    ("data", "facts"),
    [
        (b"", "JSON text was refused: expected JSON (expecting value), found '' at 0."),
        (b"null\n", "Ledger was refused: expected a Ledger, found None."),
        (encode(Ledger())[:-1], "it says the right thing in other bytes than it was saved in."),
    ],
)
def test_a_damaged_ledger_is_told_by_its_file_and_by_what_is_wrong(data: bytes, facts: str) -> None:
    with pytest.raises(LedgerDamaged) as caught:
        load_state(STATE, disk=FakeDisk({STATE / "run.json": data}))
    assert str(caught.value) == f"the ledger is damaged: {STATE / 'run.json'}: {facts} {HINT}"
