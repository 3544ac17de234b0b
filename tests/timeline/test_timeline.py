from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.errors import InvalidValue
from forge.history import History
from forge.state.models import apply_event
from forge.timeline import Timeline
from forge.timeline.columns import following
from forge.timeline.family import timeline_script
from forge.timeline.pages import BLOCK, PAGE, build_page, page_count
from forge.timeline.plain import SHOWN_EVENTS, SHOWN_ROWS
from forge.timeline.texts import path_text, show
from tests.timeline.runs import event, gapped_run, long_run, short_run

VIEW = "application/vnd.jupyter.widget-view+json"


def bundle(timeline: Timeline) -> dict[str, Any]:
    made = timeline._repr_mimebundle_()
    assert made is not None
    return made[0]


def test_without_a_front_end_the_last_state_and_its_events_are_a_text_table() -> None:
    assert bundle(Timeline(short_run()))["text/plain"] == (
        "Timeline: the state after 3 of 3 events\n"
        "     run_id          run-1\n"
        "     status          running\n"
        "  ◐  version         3         was 2\n"
        "  ◐  last_event_id   run-1-e3  was run-1-e2\n"
        "     current_step    inspect\n"
        "  ◐  write_allowed   false     was true\n"
        "     failure_reason  null\n"
        "events\n"
        "     1  run_created\n"
        "     2  step_started inspect\n"
        "  ▸  3  write_permission_revoked  ▲ write revoked"
    )


def test_beside_it_stands_the_same_as_plain_html_and_the_widget_itself() -> None:
    made = bundle(Timeline(short_run(), title="Run 1"))
    assert made["text/html"].startswith("<table><caption>Run 1: the state after 3 of 3 events</caption>")
    assert "<tr><td>◐</td><td>write_allowed</td><td>false</td><td>true</td></tr>" in made["text/html"]
    assert (
        "<tr><td>▸</td><td>3</td><td>write_permission_revoked</td><td>▲ write revoked</td></tr>"
        in made["text/html"]
    )
    assert not any(word in made["text/html"] for word in ("<script", "<style", "style=", "class="))
    assert set(made[VIEW]) == {"version_major", "version_minor", "model_id"}


def test_two_timelines_of_one_history_say_and_send_the_same() -> None:
    first, second = Timeline(long_run(300)), Timeline(long_run(300))
    one, two = bundle(first), bundle(second)
    assert (one["text/plain"], one["text/html"]) == (two["text/plain"], two["text/html"])
    assert (first.head, first.pages) == (second.head, second.pages)
    assert first.pages["0"][4:8] == bytes(4), "a time in the gzip header"


def test_the_static_tables_show_the_last_events_and_the_first_values() -> None:
    wide = History(
        [{f"value_{n}": n for n in range(SHOWN_ROWS + 5)}] * 20,
        lambda _, event: event,
        describe=lambda _: "set",
    )
    lines = bundle(Timeline(wide))["text/plain"].splitlines()
    assert "… and 5 more values" in lines
    listed = lines[lines.index("events") + 1 : -1]
    assert [line.split()[-2] for line in listed] == [str(n) for n in range(20 - SHOWN_EVENTS + 1, 21)]


def test_a_value_too_long_for_a_line_is_cut_in_the_tables_and_whole_in_the_widget() -> None:
    timeline = Timeline(History([{"text": "x" * 5000}], lambda _, event: event))
    made = bundle(timeline)
    assert max(map(len, made["text/plain"].splitlines())) < 200
    assert "x" * 100 not in made["text/html"]
    assert "x" * 5000 in gzip.decompress(timeline.pages["0"]).decode()


def test_markup_in_a_payload_stays_text() -> None:
    markup = "<script>alert('x')</script>"
    history = History([{"kind": markup, markup: markup}], lambda _, event: event, marks=lambda *_: markup)
    html = bundle(Timeline(history, title=markup))["text/html"]
    assert "<script" not in html
    assert html.count("&lt;script&gt;") >= 5
    assert not any(
        word in timeline_script()
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write")
    )


def test_a_history_with_a_refused_event_shows_the_state_before_it_and_why_it_ends() -> None:
    timeline = Timeline(History(gapped_run(), apply_event))
    text = bundle(timeline)["text/plain"]
    assert text.startswith("Timeline: the state after 4 of 6 events\n")
    assert "\n  ▸  4  step_started step 4\n  ✗  5  step_started step 6\n" in text
    assert (
        "✗ Event 5 was refused: event sequence must be contiguous: event 6 of run-1 follows event 4" in text
    )
    assert timeline.head["last"] == 4
    stop = timeline.head["stop"]
    assert (stop["number"], stop["mark"], stop["title"]) == (5, "✗ refused", "Event 5 was refused")
    assert stop["reason"].startswith("event sequence must be contiguous")
    assert timeline.head["end"] == 5


def test_an_error_without_words_is_shown_with_its_class() -> None:
    def refuse(_state: object, _event: object) -> object:
        raise KeyError

    timeline = Timeline(History(["rain"], refuse))
    assert timeline.head["stop"]["reason"].startswith("KeyError")


def test_an_empty_history_says_so() -> None:
    made = bundle(Timeline(History([], apply_event)))
    assert made["text/plain"] == "Timeline: the state after 0 of 0 events\n○ No event yet."
    assert made["text/html"] == "<p>Timeline: the state after 0 of 0 events</p><p>○ No event yet.</p>"
    with_state = bundle(Timeline(History([], apply_event, initial={"total": 1})))
    assert "total  1" in with_state["text/plain"]


def test_a_timeline_opens_at_the_last_prefix_or_where_it_is_told() -> None:
    assert Timeline(short_run()).at == 3
    assert [Timeline(short_run(), at=n).at for n in range(4)] == [0, 1, 2, 3]


@pytest.mark.parametrize("at", [-1, 4])
def test_a_prefix_outside_the_history_is_refused(at: int) -> None:
    with pytest.raises(
        InvalidValue, match=f"no such prefix: the history has the prefixes 0 to 3, found {at}"
    ):
        Timeline(short_run(), at=at)
    timeline = Timeline(short_run(), at=2)
    with pytest.raises(InvalidValue, match="no such prefix"):
        timeline.at = at
    assert timeline.at == 2


def test_only_a_history_has_a_timeline() -> None:
    with pytest.raises(InvalidValue, match=r"Timeline was refused: expected a History, found \[1, 2\]"):
        Timeline([1, 2])  # type: ignore[arg-type]


def test_a_timeline_is_written_without_an_address() -> None:
    assert repr(Timeline(short_run(), at=1)) == str(Timeline(short_run(), at=1)) == "Timeline(events=3, at=1)"


def test_a_page_holds_the_changes_and_not_the_states() -> None:
    page = json.loads(gzip.decompress(build_page(short_run(), 0)))
    up = True  # the text before, counted up
    assert page == {
        "start": 0,
        "states": 3,
        "words": [
            "run-1-e1",
            "run-1",
            "1",
            "run_created",
            "step_started",
            "write_permission_revoked",
            "{}",
            "inspect",
            "created",
            "running",
            "null",
            "true",
            "false",
            "step_started inspect",
        ],
        "keys": ["event_id", "run_id", "sequence", "kind", "payload", "payload.step"],
        "fields": [
            [[0, 1, 1], [0, up, up]],
            [[0, 1, 1], [1, 0, 0]],
            [[0, 1, 1], [2, up, up]],
            [[0, 1, 1], [3, 1, 1]],
            [[0, 2], [6, 0]],
            [[1], [7]],
        ],
        "paths": [
            "run_id",
            "status",
            "version",
            "last_event_id",
            "current_step",
            "write_allowed",
            "failure_reason",
        ],
        "keyframe": [None] * 7,
        "changes": [
            [[0], [1]],
            [[0, 1], [8, 1]],
            [[0, 1, 1], [2, up, up]],
            [[0, 1, 1], [0, up, up]],
            [[0, 1], [10, -3]],
            [[0, 2], [11, 1]],
            [[0], [10]],
        ],
        "names": [3, 10, -8],
        "marks": [[3, "▲ write revoked"]],
    }


@pytest.mark.parametrize(
    ("text", "next_text"),
    [
        ("9", "10"),
        ("run-1-e9", "run-1-e10"),
        ("e009.jsonl", "e010.jsonl"),
        ("99", "100"),
        ("-1", "-2"),
        ("0.9", "0.10"),
        ("999999999999999", "1000000000000000"),
        ("12345678901234567890", "12345678901234567891"),
        ("", None),
        ("no number", None),
        ("٣", None),
        ("x" * 100 + "1", None),
    ],
)
def test_a_text_that_counts_up(text: str, next_text: str | None) -> None:
    assert following(text) == next_text


def test_what_counts_up_or_repeats_another_column_costs_next_to_nothing() -> None:
    assert len(build_page(long_run(2500), 0)) < 1500


def test_of_a_long_history_the_first_and_the_last_page_are_sent_and_the_others_when_asked_for() -> None:
    timeline = Timeline(long_run(4 * PAGE))
    assert list(timeline.pages) == ["0", "3"]
    assert timeline.pages["3"] == build_page(timeline.history, 3)
    for page, size in ((1, PAGE), (57, BLOCK), (4 * PAGE // BLOCK - 1, BLOCK)):
        told = {"page": page, "size": size, "edition": 0}
        assert asked(timeline, {"page": page, "size": size}) == [
            (told, [build_page(timeline.history, page, size)])
        ]


@pytest.mark.parametrize(
    "content", [{}, {"page": 4}, {"page": -1}, {"page": "1"}, {"page": True}, None, "1", []]
)
def test_a_question_for_no_page_is_not_answered(content: object) -> None:
    assert asked(Timeline(long_run(4 * PAGE)), content) == []


def test_where_a_view_came_to_rest_is_remembered_until_python_moves_the_timeline() -> None:
    timeline = Timeline(short_run())
    assert asked(timeline, {"seen": 1}) == []
    assert timeline.get_state()["seen"] == 1
    assert timeline.at == 3
    timeline.at = 2
    assert timeline.get_state()["seen"] is None


def asked(timeline: Timeline, content: object) -> list[Any]:
    sent: list[Any] = []
    timeline.send = lambda content, buffers: sent.append((content, buffers))
    timeline._hear(timeline, content, [])
    return sent


def test_a_path_that_appears_later_stands_beside_its_neighbours() -> None:
    states = [{"a": {"x": 1}, "b": 2}, {"a": {"x": 1, "y": 3}, "b": 2}, {"a": {}, "b": 2, "c": 4}]
    page = json.loads(gzip.decompress(build_page(History(states, lambda _, event: event), 0)))
    assert page["paths"] == ["a", "a.x", "a.y", "b", "c"]


def test_a_history_has_as_many_pages_as_it_needs() -> None:
    assert [page_count(long_run(n), 10) for n in (3, 10, 11, 21)] == [1, 1, 2, 3]
    assert page_count(History([], apply_event), 10) == 1


def test_a_history_that_grows_moves_the_end_and_not_the_place() -> None:
    events = long_run(2 * PAGE + 10).events[:-1]
    more = event(2 * PAGE + 10, step="more")
    timeline = Timeline(History(events, apply_event), at=7)
    before = timeline.history
    timeline.show(History([*events, more], apply_event))
    assert (timeline.head["count"], timeline.at) == (2 * PAGE + 10, 7)
    assert (timeline.head["edition"], timeline.head["kept"]) == (1, 2)
    assert timeline.pages["2"] == build_page(timeline.history, 2) != build_page(before, 2)
    assert bundle(timeline)["text/plain"].startswith("Timeline: the state after 5010 of 5010 events\n")
    timeline.show(History([*events, more, more], apply_event))
    assert timeline.head["kept"] == 2
    assert timeline.head["stop"]["number"] == 2 * PAGE + 11


def test_of_another_history_no_page_is_kept() -> None:
    timeline = Timeline(long_run(PAGE + 1))
    timeline.show(History(long_run(PAGE + 2).events[1:], lambda state, event: event.sequence))
    assert timeline.head["kept"] == 0
    timeline.show(short_run())
    assert (timeline.head["count"], timeline.at) == (3, 3)
    with pytest.raises(InvalidValue, match="Timeline was refused: expected a History"):
        timeline.show([1])  # type: ignore[arg-type]
    assert timeline.head["count"] == 3


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from(
        [
            "null",
            "true",
            "1",
            "1.0",
            "NaN",
            "Infinity",
            "-Infinity",
            "{}",
            "[]",
            '"1"',
            " a",
            "a ",
            "\u2028",
            "\\u2028",
            "\ud800",
            "{x",
        ]
    )
)


@given(LEAVES, LEAVES)
def test_two_values_that_differ_never_read_the_same(a: Any, b: Any) -> None:
    if show(a) == show(b):
        assert type(a) is type(b)
        assert a == b or (a != a and b != b)


@given(LEAVES)
def test_a_value_is_one_line_of_valid_text(value: Any) -> None:
    text = show(value)
    text.encode("utf-8")
    assert len(text.splitlines()) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        ("true", '"true"'),
        (3, "3"),
        ("3", '"3"'),
        (0.5, "0.5"),
        ("", '""'),
        ([], "[]"),
        ({}, "{}"),
        ("step one", "step one"),
        ("a\nb", '"a\\nb"'),
        ("a\u202eb", '"a\\u202eb"'),
        ("👩‍👧", "👩‍👧"),
        ("שלום", "שלום"),
        ("\ud800", '"\\ud800"'),
        (float("-inf"), "-Infinity"),
        (float("nan"), "NaN"),
    ],
)
def test_a_value_reads_as_json_and_text_without_its_quotes_where_that_is_clear(
    value: object, text: str
) -> None:
    assert show(value) == text


KEYS = st.text(max_size=3) | st.sampled_from(["a", "a.b", "[0]", "0", '"', "value", "\u2028"])
PATHS = st.lists(KEYS | st.integers(0, 3), min_size=1, max_size=3).map(tuple)


@given(PATHS, PATHS)
def test_two_paths_that_differ_never_read_the_same(
    a: tuple[str | int, ...], b: tuple[str | int, ...]
) -> None:
    assert a == b or path_text(a) != path_text(b)


def test_a_path_reads_as_a_learner_writes_it() -> None:
    paths = [("status",), ("payload", "steps", 0, "name"), ("a.b", "c"), ("", "x y"), (), (0,)]
    assert [path_text(path) for path in paths] == [
        "status",
        "payload.steps[0].name",
        '["a.b"].c',
        '[""]["x y"]',
        "value",
        "[0]",
    ]


def test_the_state_in_a_saved_notebook_is_all_that_a_view_needs() -> None:
    state = Timeline(short_run(), title="Run 1").get_state()
    assert state["head"] == {
        "title": "Run 1",
        "count": 3,
        "last": 3,
        "end": 3,
        "stop": None,
        "trust": None,
        "page": PAGE,
        "edition": 0,
        "kept": 0,
    }
    assert {number: base64.b64encode(page) for number, page in state["pages"].items()} == {
        "0": base64.b64encode(build_page(short_run(), 0))
    }
    assert state["at"] == 3
