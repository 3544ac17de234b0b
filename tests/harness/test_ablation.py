"""The ablation board is run: with a mechanism a task goes well, and without it something shows."""

from __future__ import annotations

import os

import pytest

from forge.errors import InvalidValue
from forge.figures import ablation_board
from forge.harness import ablation
from forge.harness.ablation import ablate, ablate_all, ablation_history
from forge.harness.ablation.board import RUNS
from forge.harness.ablation.runs import Outcome
from forge.harness.mechanisms import MECHANISMS

SLOW = {5, 6, 7, 17}  # they start processes; the notebook runs them
NUMBERS = sorted(RUNS if os.environ.get("FORGE_SWEEP") else set(RUNS) - SLOW)


def test_every_mechanism_that_can_be_switched_off_has_a_task() -> None:
    assert (
        set(RUNS) == {mechanism.number for mechanism in MECHANISMS if mechanism.switch} == set(range(2, 24))
    )


@pytest.mark.parametrize("number", NUMBERS)
def test_a_task_goes_well_with_its_mechanism_and_goes_wrong_without_it(number: int) -> None:
    found = ablate(number)
    assert found.with_it.well, found.with_it.seen
    assert not found.without.well, found.without.seen
    assert found.with_it.seen != found.without.seen
    assert found.task


def test_what_is_shown_is_what_was_seen_when_it_was_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RUNS, 2, lambda _folder, off: Outcome(bool(off), f"off: {sorted(off)}"))
    [found] = ablate_all([2])
    assert (found.with_it.well, found.without.seen) == (False, "off: ['tools']")
    text = ablation_board([found]).text()
    assert "✗ off: []" in text
    assert "✓ off: ['tools']" in text


def test_the_timeline_of_the_board_marks_the_end_of_every_run() -> None:
    history = ablation_history(ablate_all([4]))
    ends = [n for n in range(1, len(history) + 1) if (history.at(n) or {})["outcome"]]
    assert [(history.at(n) or {})["outcome"][0] for n in ends] == ["✓", "✗"]
    assert ends[-1] == len(history)
    assert (history.at(ends[0] + 1) or {})["events"] == 1


def test_what_cannot_be_switched_off_is_refused() -> None:
    for number in (1, 24, 0):
        with pytest.raises(InvalidValue, match="this mechanism cannot be switched off"):
            ablation.ablate(number)
