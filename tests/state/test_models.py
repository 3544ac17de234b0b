from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.chain import FrozenDict
from forge.errors import EventRefused, InvalidValue
from forge.state import EventKind, RunEvent, RunState, RunStatus, apply_event, reduce_events


def event(sequence: int, kind: EventKind, run_id: str = "run-1", **payload: Any) -> RunEvent:
    return RunEvent(event_id=f"e{sequence}", run_id=run_id, sequence=sequence, kind=kind, payload=payload)


CREATED = event(1, EventKind.RUN_CREATED)
MIDDLE = st.sampled_from([EventKind.STEP_STARTED, EventKind.WRITE_PERMISSION_REVOKED])
LAST = st.sampled_from([EventKind.STEP_STARTED, EventKind.RUN_COMPLETED, EventKind.RUN_FAILED])


@st.composite
def histories(draw: st.DrawFn) -> list[RunEvent]:
    kinds = [EventKind.RUN_CREATED, *draw(st.lists(MIDDLE, max_size=12)), draw(LAST)]
    return [event(n, kind, step=f"step {n}", reason="it broke") for n, kind in enumerate(kinds, start=1)]


@given(histories(), st.data())
def test_folding_a_prefix_and_then_the_tail_is_folding_everything(
    history: list[RunEvent], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(1, len(history)))
    prefix = reduce_events(history[:cut])
    assert reduce_events(history[cut:], prefix) == reduce_events(history)
    assert prefix.version == cut


@given(histories())
def test_every_prefix_of_a_history_replays(history: list[RunEvent]) -> None:
    for count in range(1, len(history) + 1):
        assert reduce_events(history[:count]).last_event_id == f"e{count}"


@given(histories())
def test_an_event_survives_json_copy_and_pickle(history: list[RunEvent]) -> None:
    for one in history:
        assert RunEvent.model_validate(one.model_dump(mode="json")) == one
        assert RunEvent.model_validate_json(one.model_dump_json()) == one
        assert pickle.loads(pickle.dumps(one)) == one == copy.deepcopy(one)


@pytest.mark.parametrize(
    ("sequence", "found"),
    [
        (1, "event 1 of run-1 follows event 1, expected 2"),
        (3, "event 3 of run-1 follows event 1, expected 2"),
    ],
)
def test_a_gap_and_a_repetition_are_refused_with_the_facts(sequence: int, found: str) -> None:
    with pytest.raises(EventRefused, match="event sequence must be contiguous: " + found):
        apply_event(reduce_events([CREATED]), event(sequence, EventKind.STEP_STARTED, step="x"))


@pytest.mark.parametrize("kind", [EventKind.RUN_COMPLETED, EventKind.RUN_FAILED])
def test_nothing_follows_a_terminal_event(kind: EventKind) -> None:
    ended = reduce_events([CREATED, event(2, kind, reason="it broke")])
    for later in EventKind:
        with pytest.raises(EventRefused, match="a terminal run cannot accept more events"):
            apply_event(ended, event(3, later, step="x", reason="y"))


def test_the_gap_is_named_before_the_end_of_the_run() -> None:
    ended = reduce_events([CREATED, event(2, EventKind.RUN_COMPLETED)])
    with pytest.raises(EventRefused, match="event sequence must be contiguous"):
        apply_event(ended, event(4, EventKind.STEP_STARTED, step="x"))


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([], "at least one event is required"),
        ([event(1, EventKind.STEP_STARTED, step="x")], "the first event must create the run at sequence 1"),
        ([event(2, EventKind.RUN_CREATED)], "the first event must create the run at sequence 1"),
        (
            [CREATED, event(2, EventKind.STEP_STARTED, "run-2", step="x")],
            "an event cannot be applied to a different run",
        ),
        ([CREATED, event(2, EventKind.RUN_CREATED)], "a run can only be created once"),
        ([CREATED, event(2, EventKind.RUN_FAILED)], "run_failed requires a reason"),
        (
            [event(1, EventKind.RUN_CREATED, write_allowed="false")],
            "run_created requires write_allowed to be true or false",
        ),
    ],
)
def test_an_event_that_cannot_follow_is_refused_by_name(events: list[RunEvent], words: str) -> None:
    with pytest.raises(EventRefused, match=words):
        reduce_events(events)


@pytest.mark.parametrize("step", [None, "", "   ", 3, ["a"], True])
def test_a_step_is_text_and_nothing_is_turned_into_text(step: Any) -> None:
    with pytest.raises(EventRefused, match="step_started requires a non-empty step"):
        reduce_events([CREATED, event(2, EventKind.STEP_STARTED, step=step)])


@pytest.mark.parametrize("write_allowed", [True, False])
def test_permission_is_taken_from_the_creating_event_and_never_comes_back(write_allowed: bool) -> None:
    created = event(1, EventKind.RUN_CREATED, write_allowed=write_allowed)
    assert reduce_events([created]).write_allowed is write_allowed
    revoked = event(2, EventKind.WRITE_PERMISSION_REVOKED)
    started = event(3, EventKind.STEP_STARTED, step="x", write_allowed=True)
    assert reduce_events([created, revoked, started]).write_allowed is False


def test_the_payload_cannot_be_changed_even_when_it_was_left_out() -> None:
    for one in (CREATED, RunEvent(event_id="e1", run_id="r", sequence=1, kind=EventKind.RUN_CREATED)):
        assert type(one.payload) is FrozenDict
        with pytest.raises(TypeError, match="frozen"):
            one.payload["write_allowed"] = False


def test_the_payload_is_a_copy_of_what_was_given() -> None:
    given_payload = {"steps": ["a"]}
    one = event(1, EventKind.RUN_CREATED, **given_payload)
    given_payload["steps"].append("b")
    assert one.payload == {"steps": ["a"]}


def test_copying_with_a_bad_payload_is_refused_like_making_one() -> None:
    with pytest.raises(InvalidValue, match=r"payload\.a was refused"):
        CREATED.model_copy(update={"payload": {"a": float("nan")}})


def test_a_refused_event_leaves_the_state_as_it_was() -> None:
    state = reduce_events([CREATED])
    before = state.model_dump()
    with pytest.raises(EventRefused):
        apply_event(state, event(5, EventKind.RUN_COMPLETED))
    assert state.model_dump() == before


def test_the_first_state_is_what_the_creating_event_says() -> None:
    assert apply_event(None, CREATED) == RunState(
        run_id="run-1", status=RunStatus.CREATED, version=1, last_event_id="e1"
    )
