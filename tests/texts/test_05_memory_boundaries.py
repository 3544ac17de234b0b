"""What stage 5's errors say, word for word, and the facts they carry."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from forge.errors import ForgeError
from forge.instants import instant
from forge.memory import MemoryRecord, MemoryScope, MemoryStore

NINE = datetime(2026, 8, 17, 9, 0, tzinfo=UTC)
TEN = datetime(2026, 8, 17, 10, 0, tzinfo=UTC)
USER = MemoryScope.USER


def memory(memory_id: str, created_at: datetime, **more: Any) -> MemoryRecord:
    return MemoryRecord(
        memory_id=memory_id,
        scope=USER,
        subject_id="user-1",
        content="prefers tea",
        created_at=created_at,
        **more,
    )


def refused(act: Callable[[MemoryStore], object], folder: Path, *held: MemoryRecord) -> ForgeError:
    with MemoryStore(folder / "memories.db", durable=False) as store:
        for each in held:
            store.put(each)
        with pytest.raises(ForgeError) as caught:
            act(store)
    return caught.value


def test_a_stale_memory_is_told_from_the_one_that_holds_its_key(tmp_path: Path) -> None:
    late = memory("m2", NINE, key="drink")
    error = refused(lambda store: store.put(late), tmp_path, memory("m1", TEN, key="drink"))
    assert str(error) == (
        "the memory is stale: 'm2' is from 2026-08-17 09:00:00+00:00, but 'drink' is held by 'm1' from "
        "2026-08-17 10:00:00+00:00. Keep the stored one, or put one that was created later."
    )
    assert error.evidence == {"memory_id": "m2", "key": "drink", "held": "m1"}


def test_an_end_before_the_beginning_is_told_with_both_times(tmp_path: Path) -> None:
    error = refused(lambda store: store.put(memory("m1", TEN, expires_at=NINE)), tmp_path)
    assert str(error) == (
        "expires_at must be later than created_at: 'm1' is created at 2026-08-17 10:00:00+00:00 and expires "
        "at 2026-08-17 09:00:00+00:00. Give a later expires_at, or none."
    )
    assert error.evidence == {"memory_id": "m1"}


def test_a_time_without_its_offset_is_told_as_it_was_written() -> None:
    with pytest.raises(ForgeError) as caught:
        instant(datetime(2026, 8, 17, 9, 0))
    found = "datetime.datetime(2026, 8, 17, 9, 0)"
    assert str(caught.value) == (f"a moment was refused: expected a time with its UTC offset, found {found}.")
    assert caught.value.evidence == {
        "path": "a moment",
        "expected": "a time with its UTC offset",
        "found": found,
    }


@pytest.mark.parametrize(
    "act",
    [lambda store: store.delete(""), lambda store: store.get("", USER, "user-1")],
    ids=["delete", "get"],
)
def test_what_is_no_id_is_told_by_the_name_of_its_parameter(
    act: Callable[[MemoryStore], object], tmp_path: Path
) -> None:
    error = refused(act, tmp_path)
    assert str(error) == "memory_id was refused: expected text of at least 1 character, found ''."
    assert error.evidence == {
        "path": "memory_id",
        "expected": "text of at least 1 character",
        "found": "''",
    }
