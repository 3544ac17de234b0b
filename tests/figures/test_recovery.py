from __future__ import annotations

import pytest

from forge.figures import recovery_figure
from forge.history import History
from forge.recovery_cases import CASES, hidden_state, lossy_codec, tail_off_by_one, whole_codec
from forge.state.models import RunEvent, RunState
from tests.timeline.runs import long_run, short_run


def marks(history: History[RunState, RunEvent], n: int, **case: object) -> str:
    glyphs = {"holds": "✓", "broken": "✗", "notyet": "○"}
    return "".join(glyphs[segment.mark] for segment in recovery_figure(history, n, **case).segments)  # type: ignore[arg-type]


def test_a_strip_of_checkpoints_says_from_which_a_run_recovers() -> None:
    assert marks(short_run(), 3, **whole_codec()) == "✓✓✓✓"
    assert marks(short_run(), 3, **lossy_codec()) == "✓✓✓✗"


def test_checkpoints_after_the_chosen_prefix_are_not_yet() -> None:
    assert marks(short_run(), 1, **whole_codec()) == "✓✓○○"
    assert marks(short_run(), 0, **whole_codec()) == "✓○○○"
    assert marks(long_run(450), 230, **whole_codec()) == "✓✓✓○○"
    assert marks(long_run(20), 12, every=5, **whole_codec()) == "✓✓✓○○"


def test_it_opens_at_the_first_checkpoint_that_fails_and_tells_how() -> None:
    strip = recovery_figure(short_run(), 3, **lossy_codec())
    segment = strip.segments[strip.at]
    assert (segment.label, segment.mark) == ("3", "broken")
    assert segment.facts == [
        ("differs first", "as it is loaded"),
        ("write_allowed", "True recovered, False replayed"),
    ]
    assert segment.caption == "Checkpoint 3 gives back another state than the run had there."


def test_it_names_the_first_event_after_which_the_states_differ() -> None:
    strip = recovery_figure(long_run(9), 8, **hidden_state())
    segment = strip.segments[strip.at]
    assert segment.label == "1"
    assert segment.facts[0] == ("differs first", "after event 2, step_started step 2")
    assert segment.facts[1][0] == "current_step"


def test_a_recovery_that_raises_is_told_with_its_error() -> None:
    strip = recovery_figure(short_run(), 3, **tail_off_by_one())
    [(name, value)] = strip.segments[1].facts
    assert name == "refused"
    assert value.startswith("EventRefused: event sequence must be contiguous")


def test_the_caption_counts_the_checkpoints_that_hold() -> None:
    assert "From 3 of 4 checkpoints that leads" in recovery_figure(short_run(), 3, **lossy_codec()).caption
    assert "From 4 of 4 checkpoints" in recovery_figure(short_run(), 3, **whole_codec()).caption


@pytest.mark.parametrize("case", CASES)
def test_every_case_that_breaks_recovery_turns_a_segment_red(case: str) -> None:
    assert "✗" in marks(short_run(), 3, **CASES[case]())


def test_the_title_can_be_given() -> None:
    assert recovery_figure(short_run(), 2, **whole_codec()).title == "Recovery of the state after 2 events"
    assert recovery_figure(short_run(), 2, title="Mine", **whole_codec()).title == "Mine"
