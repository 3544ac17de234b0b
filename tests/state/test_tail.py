from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.errors import RecoveryRefused, TailGap
from forge.state.models import EventKind, RunEvent
from forge.state.tail import tail_from_pages


def run(count: int) -> list[RunEvent]:
    return [
        RunEvent(event_id=f"e{n}", run_id="run-1", sequence=n, kind=EventKind.RUN_COMPLETED)
        for n in range(1, count + 1)
    ]


@given(st.integers(0, 40), st.data())
def test_a_store_may_give_pages_of_any_length_up_to_the_one_asked_for(
    count: int, data: st.DataObject
) -> None:
    events = run(count)
    version = data.draw(st.integers(0, count + 1), label="version")
    size = data.draw(st.integers(1, count + 2), label="size")

    def read_page(start: int, limit: int) -> Sequence[RunEvent]:
        assert limit == size
        given = data.draw(st.integers(1, limit), label="given")
        return events[start - 1 : start - 1 + given]

    assert tail_from_pages(read_page, version, size=size) == events[version:]


def test_each_page_is_asked_for_once_and_one_more_finds_the_end() -> None:
    asked: list[tuple[int, int]] = []

    def read_page(start: int, limit: int) -> Sequence[RunEvent]:
        asked.append((start, limit))
        return run(7)[start - 1 : start - 1 + limit]

    tail_from_pages(read_page, 1, size=3)
    assert asked == [(2, 3), (5, 3), (8, 3)]


def test_a_page_that_starts_elsewhere_is_told_with_both_numbers() -> None:
    with pytest.raises(TailGap) as gap:
        tail_from_pages(lambda _start, _limit: run(4)[1:], 2)
    assert str(gap.value) == (
        "a page must start with the event that was asked for: the page from event 3 on starts with event 2. "
        "Read the tail again from 3."
    )
    assert gap.value.evidence == {"expected": 3, "found": 2}
    assert isinstance(gap.value, RecoveryRefused)
    assert isinstance(gap.value, ValueError)
