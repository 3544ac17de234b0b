from __future__ import annotations

from typing import Any

import pytest

from forge.errors import EventRefused, InvalidValue
from forge.history import KEYFRAME_EVERY, History
from forge.recovery_cases import (
    CASES,
    checkpoint_ahead,
    hidden_state,
    lossy_codec,
    tail_off_by_one,
    whole_codec,
)
from forge.recovery_strip import Segment, recovery_strip
from forge.state.mismatch import Difference
from forge.state.models import EventKind, RunEvent, RunState, apply_event

KINDS: list[tuple[EventKind, dict[str, object]]] = [
    (EventKind.RUN_CREATED, {}),
    (EventKind.STEP_STARTED, {"step": "inspect"}),
    (EventKind.WRITE_PERMISSION_REVOKED, {}),
    (EventKind.STEP_STARTED, {"step": "report"}),
]
EVENTS = [
    RunEvent(event_id=f"e{n}", run_id="run-1", sequence=n, kind=kind, payload=payload)
    for n, (kind, payload) in enumerate(KINDS, start=1)
]
HISTORY = History(EVENTS, apply_event)


def strip(case: dict[str, Any], n: int = 4) -> tuple[Segment, ...]:
    return recovery_strip(HISTORY, n, **case)


def colours(segments: tuple[Segment, ...]) -> str:
    return "".join("✓" if segment.holds else "✗" for segment in segments)


def add(total: int | None, event: int) -> int:
    return (total or 0) + event


def same(value: int) -> int:
    return value


def test_recovery_through_real_checkpoints_holds_from_every_prefix() -> None:
    for n in range(5):
        assert strip(whole_codec(), n) == tuple(Segment(keyframe, True) for keyframe in range(n + 1))


def test_a_codec_that_forgets_a_field_fails_from_the_event_that_set_it() -> None:
    forgotten = (Difference("write_allowed", True, False),)
    assert strip(lossy_codec()) == (
        Segment(0, True),
        Segment(1, True),
        Segment(2, True),
        Segment(3, False, 3, forgotten),
        Segment(4, False, 4, forgotten),
    )


def test_a_tail_that_starts_too_early_is_refused_by_the_reducer() -> None:
    segments = strip(tail_off_by_one())
    assert colours(segments) == "✓✗✗✗✗"
    assert segments[2].refused.startswith("EventRefused: event sequence must be contiguous: event 2 of run-1")


def test_a_tail_that_is_applied_twice_without_a_word_is_found_by_its_state() -> None:
    history = History([1, 2, 3, 4], add, initial=0)
    segments = recovery_strip(history, 4, same, same, tail=lambda events, keyframe, _: events[keyframe - 1 :])
    assert segments[2] == Segment(2, False, 3, (Difference("", 5, 6),))
    assert segments[4] == Segment(4, False, 5, (Difference("", 14, 10),))


def test_a_checkpoint_ahead_of_the_log_skips_the_event_that_takes_its_number() -> None:
    segments = strip(checkpoint_ahead())
    assert colours(segments) == "✓✓✗✗✗"
    skipped = segments[2]
    assert skipped.event == 2
    assert [difference.field for difference in skipped.differences] == ["version", "last_event_id"]


def test_a_reducer_that_remembers_something_itself_fails_where_steps_follow() -> None:
    segments = strip(hidden_state())
    assert colours(segments) == "✓✗✗✗✓"
    assert segments[3] == Segment(3, False, 4, (Difference("current_step", "6. report", "2. report"),))


@pytest.mark.parametrize("name", CASES)
def test_every_case_turns_the_strip_red_and_is_fresh_each_time(name: str) -> None:
    first = colours(strip(CASES[name]()))
    assert "✗" in first
    assert colours(strip(CASES[name]())) == first


def test_a_saver_or_a_loader_that_raises_is_a_red_segment() -> None:
    def cannot(_value: object) -> RunState:
        raise OSError("the disk is full")

    refused = strip({"save": cannot, "load": cannot})
    assert colours(refused) == "✓✗✗✗✗"
    assert refused[1].refused == "OSError: the disk is full"


def test_a_long_history_is_asked_at_its_own_keyframes() -> None:
    history = History(range(1, 3 * KEYFRAME_EVERY + 8), add, initial=0)
    segments = recovery_strip(history, 2 * KEYFRAME_EVERY + 1, same, same)
    assert [segment.keyframe for segment in segments] == [0, KEYFRAME_EVERY, 2 * KEYFRAME_EVERY]
    assert colours(segments) == "✓✓✓"
    assert len(recovery_strip(history, 10, same, same, every=5)) == 3
    with pytest.raises(InvalidValue, match="every was refused"):
        recovery_strip(history, 10, same, same, every=0)


def test_a_state_of_zero_is_a_state_like_any_other() -> None:
    history = History([1, -1, 0], add, initial=1)
    segments = recovery_strip(history, 3, same, lambda value: value + 1)
    assert segments[2] == Segment(2, False, 2, (Difference("", 2, 1),))
    assert recovery_strip(History([-1], add, initial=1), 1, same, lambda value: 0)[1] == Segment(1, True)


def test_a_prefix_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InvalidValue, match="no such prefix"):
        strip(whole_codec(), 5)
    gap = History([EVENTS[0], EVENTS[2]], apply_event)
    with pytest.raises(EventRefused, match="the history stops at a refused event"):
        recovery_strip(gap, 2, **whole_codec())
