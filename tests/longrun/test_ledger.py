"""The ledger of a night: what it holds, what it refuses, and how it changes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.errors import InvalidValue
from forge.longrun import Change, Ledger, Spent, apply_change, begun, finished, stuck
from forge.longrun.ledger import Kind, failed


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"done": ["F01", "F01"], "attempts": {"F01": 2}}, "F01 twice in done"),
        ({"done": ["F01"]}, "F01 without an attempt"),
        ({"current": "F02", "attempts": {"F01": 1}}, "F02 without an attempt"),
        ({"attempts": {"F01": 0}}, "Ledger.attempts was refused"),
        ({"attempts": {"F01": True}}, "Ledger.attempts was refused"),
        ({"attempts": {"F01": 1.0}}, "Ledger.attempts was refused"),
        ({"attempts": {1: 1}}, "Ledger.attempts was refused"),
        ({"attempts": ["F01"]}, "Ledger.attempts was refused"),
        ({"done": ["list of notes"], "attempts": {"list of notes": 1}}, "Ledger.done[0] was refused"),
        ({"current": ""}, "Ledger.current was refused"),
        ({"spent": {"windows": -1, "steps": 0}}, "Ledger.spent.windows was refused"),
        ({"thoughts": "first the routes"}, "Ledger.thoughts was refused"),
        ({"receipts": ["?? features/F02.txt"]}, "Ledger.receipts was refused"),
    ],
)
def test_what_is_no_ledger_is_refused_by_its_path(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        Ledger.model_validate(fields)
    assert words in str(caught.value)


def test_a_ledger_is_frozen_at_every_depth() -> None:
    ledger = begun(Ledger(), "F01")
    with pytest.raises(InvalidValue):
        ledger.current = None
    with pytest.raises(TypeError):
        ledger.attempts["F01"] = 7
    with pytest.raises(InvalidValue):
        ledger.spent.steps = 0


def test_every_change_has_its_effect_and_no_other() -> None:
    ledger = Ledger()
    for kind, feature, expected in (
        ("window_opened", None, Ledger(spent=Spent(windows=1))),
        ("begun", "F01", Ledger(current="F01", attempts={"F01": 1}, spent=Spent(windows=1, steps=1))),
        ("failed", "F01", Ledger(attempts={"F01": 1}, spent=Spent(windows=1, steps=1))),
        ("begun", "F01", Ledger(current="F01", attempts={"F01": 2}, spent=Spent(windows=1, steps=2))),
        ("verifying", "F01", Ledger(current="F01", attempts={"F01": 2}, spent=Spent(windows=1, steps=3))),
        ("finished", "F01", Ledger(done=("F01",), attempts={"F01": 2}, spent=Spent(windows=1, steps=3))),
    ):
        ledger = apply_change(ledger, Change.model_validate({"kind": kind, "feature": feature}))
        assert ledger == expected, kind


def test_before_the_first_change_there_is_an_empty_ledger() -> None:
    assert apply_change(None, Change(kind="window_opened")) == Ledger(spent=Spent(windows=1))


def test_a_feature_that_is_done_again_keeps_its_place() -> None:
    ledger = Ledger()
    for feature in ("F02", "F01", "F02"):
        ledger = finished(begun(ledger, feature), feature)
    assert ledger.done == ("F02", "F01")
    assert ledger.attempts == {"F01": 1, "F02": 2}


def test_stuck_is_what_was_tried_too_often_and_has_neither_ended_well_nor_is_at_work() -> None:
    five = {"F01": 5, "F02": 5, "F03": 5, "F04": 4, "F05": 6}
    ledger = Ledger(done=("F01",), current="F02", attempts=five)
    assert stuck(ledger) == ("F03", "F05")
    assert stuck(ledger, 6) == ("F05",)


KINDS: list[Kind] = ["begun", "verifying", "finished", "failed", "window_opened"]
CHANGES = st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from(["F01", "F02", "F03"])), max_size=40)


@given(CHANGES)
def test_counts_only_grow_and_done_only_gets_longer(changes: list[tuple[Kind, str]]) -> None:
    ledger = Ledger()
    for kind, feature in changes:
        if kind == "finished" and feature not in ledger.attempts:
            continue
        after = apply_change(ledger, Change(kind=kind, feature=feature))
        assert after.done[: len(ledger.done)] == ledger.done
        assert all(after.attempts[one] >= count for one, count in ledger.attempts.items())
        assert after.spent.steps - ledger.spent.steps in (0, 1)
        ledger = after


def test_a_failure_keeps_the_attempt() -> None:
    assert failed(begun(Ledger(), "F01")).attempts == {"F01": 1}
