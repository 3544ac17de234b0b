from __future__ import annotations

import dataclasses
import datetime as dt
import enum
from functools import reduce
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.errors import EventRefused, ForgeModel, InvalidValue
from forge.history import KEYFRAME_EVERY, Change, History, compare, flatten
from forge.state.marks import run_marks
from forge.state.models import EventKind, RunEvent, RunState, apply_event


def run(*kinds: tuple[EventKind, dict[str, object]], start: int = 1) -> list[RunEvent]:
    return [
        RunEvent(event_id=f"run-1-e{n}", run_id="run-1", sequence=n, kind=kind, payload=payload)
        for n, (kind, payload) in enumerate(kinds, start=start)
    ]


CREATED = (EventKind.RUN_CREATED, {})
PLAN = (EventKind.STEP_STARTED, {"step": "plan"})
REVOKED = (EventKind.WRITE_PERMISSION_REVOKED, {})
COMPLETED = (EventKind.RUN_COMPLETED, {})


def add(total: int | None, event: int) -> int:
    return (total or 0) + event


def test_every_prefix_is_the_reducer_applied_to_that_many_events() -> None:
    events = list(range(1, 3 * KEYFRAME_EVERY + 7))
    history = History(events, add, initial=5)
    assert [history.at(n) for n in range(len(events) + 1)] == [
        5 + sum(events[:n]) for n in range(len(events) + 1)
    ]


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(), max_size=350), st.data())
def test_seeking_equals_replaying(events: list[int], data: st.DataObject) -> None:
    n = data.draw(st.integers(0, len(events)))
    assert History(events, add, initial=0).at(n) == reduce(add, events[:n], 0)


def test_prefix_zero_is_the_initial_state_even_when_there_is_none() -> None:
    assert History(run(CREATED), apply_event).at(0) is None
    assert History([], add, initial=7).at(0) == 7


def test_seeking_replays_fewer_than_a_hundred_events() -> None:
    calls = 0

    def counting(total: int | None, event: int) -> int:
        nonlocal calls
        calls += 1
        return add(total, event)

    history = History(range(1_000), counting)
    for n in range(1_001):
        calls = 0
        history.at(n)
        assert calls < KEYFRAME_EVERY


@pytest.mark.parametrize("n", [-1, 4, 1.0, True, "2", None])
def test_a_prefix_that_does_not_exist_is_refused_with_the_bounds(n: object) -> None:
    history = History(run(CREATED, PLAN, REVOKED), apply_event)
    with pytest.raises(InvalidValue, match=r"no such prefix: the history has the prefixes 0 to 3, found"):
        history.at(n)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [0, 4, -1, True, "1"])
def test_an_event_that_does_not_exist_is_refused_with_the_bounds(number: object) -> None:
    history = History(run(CREATED, PLAN, REVOKED), apply_event)
    for ask in (history.describe, history.marks):
        with pytest.raises(InvalidValue, match="no such event: the history has 3 events, counted from 1"):
            ask(number)  # type: ignore[arg-type]


def test_a_refused_event_keeps_the_prefixes_before_it_and_names_itself_after_it() -> None:
    events = [*run(CREATED, PLAN), *run(REVOKED, COMPLETED, start=4)]
    history = History(events, apply_event)
    assert (len(history), history.last) == (4, 2)
    assert history.refusal is not None
    assert history.refusal.number == 3
    assert history.at(2) == apply_event(apply_event(None, events[0]), events[1])
    for n in (3, 4):
        with pytest.raises(
            EventRefused, match=r"event 3 was refused \(event sequence must be contiguous"
        ) as caught:
            history.at(n)
        assert caught.value.__cause__ is history.refusal.error
    assert history.marks(3) == history.marks(4) == ()
    assert [step.number for step in history.walk()] == [1, 2]
    assert history.find(lambda state: True) == [1, 2]


def test_an_interrupt_inside_the_reducer_is_not_taken_for_a_refusal() -> None:
    def interrupted(state: object, event: object) -> object:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        History([1], interrupted)


def test_a_reducer_that_changes_a_kept_state_is_refused() -> None:
    def mutate(state: dict[str, int] | None, event: int) -> dict[str, int]:
        assert state is not None
        state["total"] += event
        return state

    with pytest.raises(InvalidValue, match="a reducer must not change the state it is given"):
        History([1, 2], mutate, initial={"total": 0})


def test_walking_gives_each_event_with_the_states_on_both_sides() -> None:
    history = History(range(1, 251), add, initial=0)
    steps = list(history.walk(98, 203))
    assert [step.number for step in steps] == list(range(99, 204))
    assert all(step.before == history.at(step.number - 1) for step in steps)
    assert all(step.after == history.at(step.number) for step in steps)


def test_a_difference_names_each_value_that_was_added_changed_or_removed() -> None:
    states = [
        {"a": 1, "deep": {"list": [1, 2]}},
        {"a": 1, "deep": {"list": [1, 3], "new": None}},
        {"deep": {}},
    ]
    history = History(states, lambda _, event: event)
    assert history.diff(1, 2) == [
        Change(("deep", "list", 1), "changed", 2, 3),
        Change(("deep", "new"), "added", None, None),
    ]
    assert history.diff(1, 3) == [
        Change(("a",), "removed", 1, None),
        Change(("deep", "list", 0), "removed", 1, None),
        Change(("deep", "list", 1), "removed", 2, None),
        Change(("deep",), "added", None, {}),
    ]
    assert history.diff(2, 2) == []


def test_a_difference_backwards_swaps_before_and_after() -> None:
    history = History(run(CREATED, PLAN, REVOKED), apply_event)
    forwards, backwards = history.diff(2, 3), history.diff(3, 2)
    assert [(change.path, change.before, change.after) for change in forwards] == [
        (change.path, change.after, change.before) for change in backwards
    ]
    assert (("write_allowed",), True, False) in [(c.path, c.before, c.after) for c in forwards]


def test_true_and_one_differ_and_not_a_number_equals_itself() -> None:
    assert compare({("x",): True}, {("x",): 1}) == [Change(("x",), "changed", True, 1)]
    assert compare({("x",): 1}, {("x",): 1.0}) == [Change(("x",), "changed", 1, 1.0)]
    assert compare({("x",): float("nan")}, {("x",): float("nan")}) == []


def test_find_gives_the_prefixes_whose_state_satisfies_the_predicate() -> None:
    history = History(run(CREATED, PLAN, REVOKED, COMPLETED), apply_event)
    assert history.find(lambda state: not state.write_allowed) == [3, 4]
    assert history.find(lambda state: True) == [1, 2, 3, 4]
    assert History([1, -1], add, initial=0).find(lambda total: total == 0) == [0, 2]


class Colour(enum.Enum):
    RED = "red"


class Model(ForgeModel):
    when: dt.datetime
    tags: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    colour: Colour


class Pair(NamedTuple):
    left: int
    right: dict[int, str]


class Bare:
    pass


@pytest.mark.parametrize(
    ("value", "leaves"),
    [
        (None, {}),
        (7, {(): 7}),
        ({}, {}),
        ([], {(): []}),
        (
            {"a": None, "b": [], "c": {"d": [True, "x"]}},
            {("a",): None, ("b",): [], ("c", "d", 0): True, ("c", "d", 1): "x"},
        ),
        (Point(1, Colour.RED), {("x",): 1, ("colour",): "red"}),
        (Pair(1, {2: "two"}), {("left",): 1, ("right", 2): "two"}),
        (
            Model(when=dt.datetime(2026, 1, 2, tzinfo=dt.UTC), tags=("a",)),
            {("when",): "2026-01-02T00:00:00Z", ("tags", 0): "a"},
        ),
        ({"set": frozenset({"b", "a"})}, {("set", 0): "a", ("set", 1): "b"}),
        ({"when": dt.date(2026, 1, 2), Colour.RED: 1}, {("when",): "2026-01-02", ("red",): 1}),
        ({"bare": Bare()}, {("bare",): "<Bare>"}),
    ],
)
def test_a_value_is_read_as_its_leaves_by_path(
    value: object, leaves: dict[tuple[str | int, ...], object]
) -> None:
    assert list(flatten(value).items()) == list(leaves.items())


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (run(PLAN)[0], "step_started plan"),
        (run(CREATED)[0], "run_created"),
        ({"kind": "moved", "payload": {"step": "north"}}, "moved north"),
        ({"kind": Colour.RED, "payload": {"step": 3}}, "red"),
        ("rain", "rain"),
        (7, "7"),
        ({"a": 1}, "{'a': 1}"),
        (Bare(), "<Bare>"),
    ],
)
def test_an_event_is_called_by_its_kind_and_step_or_by_its_text(event: object, words: str) -> None:
    assert History([event], lambda _, event: event).describe(1) == words


def test_describe_and_marks_may_be_given() -> None:
    history = History(
        [3, 4, 5],
        add,
        initial=0,
        describe=lambda event: f"plus {event}",
        marks=lambda event, before, after: (
            ["◆ even", "◆ small"] if after % 2 == 0 and before < 10 else "▲ odd" if event == 3 else None
        ),
    )
    assert [history.describe(n) for n in (1, 2, 3)] == ["plus 3", "plus 4", "plus 5"]
    assert [history.marks(n) for n in (1, 2, 3)] == [("▲ odd",), (), ("◆ even", "◆ small")]


def test_without_marks_nothing_is_marked() -> None:
    assert History(run(CREATED, REVOKED), apply_event).marks(2) == ()


def test_a_history_says_how_long_it_is_and_what_was_refused() -> None:
    assert repr(History([1, 2], add)) == "History(events=2)"
    assert repr(History(run(PLAN), apply_event)) == "History(events=1, refused=1)"


def test_run_marks_name_a_permission_change_and_the_end_of_the_run() -> None:
    history = History(run(CREATED, REVOKED, REVOKED, COMPLETED), apply_event, marks=run_marks)
    assert [history.marks(n) for n in range(1, 5)] == [(), ("▲ write revoked",), (), ("■ completed",)]
    failed = History(
        run(
            (EventKind.RUN_CREATED, {"write_allowed": False}), (EventKind.RUN_FAILED, {"reason": "disk full"})
        ),
        apply_event,
        marks=run_marks,
    )
    assert [failed.marks(n) for n in (1, 2)] == [(), ("■ failed",)]


def test_run_marks_name_a_permission_that_comes_back() -> None:
    before = RunState(run_id="r", status="running", version=1, last_event_id="e1", write_allowed=False)
    after = before.model_copy(update={"write_allowed": True})
    assert run_marks(run(PLAN)[0], before, after) == ["▲ write granted"]


def test_a_history_extends_one_that_it_begins_with() -> None:
    one = History([1, 2], add, initial=0)
    assert one.extends(one)
    assert History([1, 2, 3], add, initial=0).extends(one)
    assert not History([1], add, initial=0).extends(one)
    assert not History([1, 3], add, initial=0).extends(one)
    assert not History([1, 2], add, initial=1).extends(one)
    assert not History([1, 2], add, initial=0, describe=str).extends(one)
    assert not History([1, 2], max, initial=0).extends(one)
