from __future__ import annotations

from datetime import date

import pytest

from forge.errors import ContractError
from forge.timeline import Rectangle
from forge.versions import EVENTS, Span, WriteMemory, import_document, named, now_active, spans


def test_the_rectangles_of_the_club() -> None:
    found = {(span.row, span.values["version"]): span for span in spans(EVENTS)}
    assert found["access", 1] == Span(
        "access",
        {"version": 1, "workshop access": "ask for the guest card"},
        4,
        None,
        date(2026, 10, 13),
        date(2026, 10, 16),
    )
    known = {key: span[2:4] for key, span in found.items()}
    assert known["schedule", 1] == (1, 7), "a newer version ends the older one"
    assert known["camera", 1] == (3, 8), "a revocation ends a version"
    assert known["club/answer order", 1] == (6, 9)
    assert known["club/answer order", 2] == (9, 10)
    assert len(found) == 10


def test_a_span_is_a_rectangle_of_the_timeline() -> None:
    assert Span._fields == Rectangle._fields[: len(Span._fields)]


def test_what_is_active_is_kept_by_name_and_is_what_the_spans_say() -> None:
    active: dict[str, int] | None = None
    for count, event in enumerate(EVENTS, start=1):
        before, active = active, now_active(active, event)
        assert before is not active
        known = {
            span.row: span.values["version"]
            for span in spans(EVENTS)
            if span.prefix_from <= count and (span.prefix_to is None or count < span.prefix_to)
        }
        assert active == known


def test_two_memories_that_join_alike_are_two_rows() -> None:
    one = WriteMemory(key="b/c", value="x", scope="a", version=1, approved=True)
    other = WriteMemory(key="c", value="y", scope="a/b", version=1, approved=True)
    assert [(span.values["value"], span.prefix_to) for span in spans([one, other])] == [
        ("x", None),
        ("y", None),
    ]


def test_a_document_that_states_no_fact_shows_its_title() -> None:
    [span] = spans([import_document("a", 3, "A title", "Only prose.")])
    assert span.values == {"title": "A title", "version": 3}


def test_a_history_with_a_refused_event_has_no_spans() -> None:
    with pytest.raises(ContractError, match="a new version must be greater"):
        spans([import_document("a", 1, "A", "-"), import_document("a", 1, "A", "-")])


def test_an_event_is_named_by_what_it_does_to_which_version() -> None:
    assert [named(event) for event in EVENTS[5:8]] == [
        "write memory club/answer order@1",
        "import document schedule@2",
        "revoke document camera@1",
    ]
