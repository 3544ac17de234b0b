"""Stage 1: what forge says when it refuses an event or a writer, word for word, and the facts as values."""

from __future__ import annotations

from pathlib import Path

import pytest

from forge import chain, log
from forge.errors import EventRefused, InvalidValue, SequenceGap, StaleWriter
from forge.state import models

PLAIN = "null, true, false, a finite number within ±(2^53−1), text, a list or a mapping"


def event(sequence, kind="write_permission_revoked", payload=None, *, run_id="run-1"):
    return models.RunEvent(
        event_id=f"e{sequence}", run_id=run_id, sequence=sequence, kind=kind, payload=payload or {}
    )


def created(**payload):
    return event(1, "run_created", payload)


def nested(make, depth):
    """A value inside `depth` containers."""
    value = "core"
    for _ in range(depth):
        value = make(value)
    return value


def refused(kind, act, *values):
    """The text of the refusal, and its evidence."""
    with pytest.raises(kind) as caught:
        act(*values)
    return str(caught.value), caught.value.evidence


def said(*events):
    """What is said when the events are refused."""
    return refused(EventRefused, models.reduce_events, events)[0]


def test_an_event_that_does_not_follow_is_refused_with_the_place_to_read_from():
    assert said(created(), event(2), event(7)) == (
        "event sequence must be contiguous: event 7 of run-1 follows event 2, expected 3. "
        "Read the log again from 3."
    )


def test_an_event_of_another_run_is_refused_with_both_runs():
    assert said(created(), event(2, run_id="run-2")) == (
        "an event cannot be applied to a different run: event 2 of run-2 met a state of run-1."
    )


def test_an_event_after_the_end_is_refused_with_the_end():
    assert said(created(), event(2, "run_completed"), event(3)) == (
        "a terminal run cannot accept more events: event 3 of run-1 comes after the run completed."
    )


def test_a_beginning_that_is_none_is_refused_with_what_was_found():
    assert said(created(), event(2, "run_created")) == (
        "a run can only be created once: event 2 of run-1 creates it again."
    )
    assert said(event(3)) == (
        "the first event must create the run at sequence 1: found write_permission_revoked at sequence 3."
    )
    assert said(created(write_allowed="false")) == (
        "run_created requires write_allowed to be true or false: event 1 of run-1 has 'false'."
    )
    assert said() == "at least one event is required: the history is empty."


def test_a_step_and_a_failure_without_text_are_refused_with_what_they_hold():
    assert said(created(), event(2, "step_started", {"step": " "})) == (
        "step_started requires a non-empty step: event 2 of run-1 has step=' '."
    )
    assert said(created(), event(2, "run_failed")) == (
        "run_failed requires a reason: event 2 of run-1 has reason=None."
    )


def test_a_writer_at_another_position_is_told_where_the_log_stands():
    path = Path("journals", "run-1.jsonl")
    text, evidence = refused(StaleWriter, log.require_position, 5, 3, path)
    assert text == (
        "the log has moved on: run-1.jsonl stands at record 5, the writer expected 3. "
        "Read the log again from record 4 and decide anew."
    )
    assert evidence == {"path": str(path), "expected": 3, "count": 5}
    text, evidence = refused(SequenceGap, log.require_position, 3, 5, path)
    assert text == (
        "the log ends too early: run-1.jsonl stands at record 3, the writer expected 5. "
        "Find records 4 to 5 before adding another."
    )
    assert evidence == {"path": str(path), "expected": 5, "count": 3}


def test_a_value_that_json_would_change_is_refused_with_what_is_kept():
    text, evidence = refused(InvalidValue, chain.freeze, {"point": [0, (1, 2)]}, "payload")
    assert text == f"payload.point[1] was refused: expected {PLAIN}, found (1, 2)."
    assert evidence == {"path": "payload.point[1]", "expected": PLAIN, "found": "(1, 2)"}


def test_text_that_is_no_unicode_is_refused_with_its_path():
    text, evidence = refused(InvalidValue, chain.freeze, {"name": "\ud800b"}, "payload")
    expected, found = "text that is valid Unicode", r"'\ud800b'"
    assert text == f"payload.name was refused: expected {expected}, found {found}."
    assert evidence == {"path": "payload.name", "expected": expected, "found": found}
    assert chain.freeze("Zürich") == "Zürich"


@pytest.mark.parametrize(
    ("make", "step", "kind"),
    [(lambda value: [value], "[0]", "list"), (lambda value: {"in": value}, ".in", "dict")],
)
def test_the_sixty_fifth_level_of_nesting_is_refused_with_its_path(make, step, kind):
    assert chain.freeze(nested(make, 64)) == nested(make, 64)
    text, evidence = refused(InvalidValue, chain.freeze, nested(make, 65))
    assert text.endswith(f" was refused: expected at most 64 levels of nesting, found {kind}.")
    path = "value" + 64 * step
    assert evidence == {"path": path, "expected": "at most 64 levels of nesting", "found": kind}
