from __future__ import annotations

import base64
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from forge.history import History, compare, flatten
from forge.state.models import apply_event
from forge.timeline.pages import build_page, page_count
from forge.timeline.texts import path_text, show, visible
from tests.timeline.runs import gapped_run, long_run
from tests.tools import require_tool

HERE = Path(__file__).parent
ODD = [
    {"text": "<script>alert(1)</script>", "deep": {"list": [1, None, "false"]}},
    {"text": "שלום", "deep": {"list": [1]}, "a.b": 1},
    {"text": "a\u2028b\u202e", "deep": {"list": []}, "a.b": True, "a": {"b": 1.0}},
    {},
    {"text": "👩‍👧", "nan": float("nan"), "big": 2**70},
]


def node(script: str, arguments: list[str], given: str = "") -> str:
    command = [require_tool("node"), *arguments, str(HERE / script)]
    ran = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def read_in_node(history: History[Any, Any], size: int) -> Any:
    pages = [
        base64.b64encode(build_page(history, n, size)).decode() for n in range(page_count(history, size))
    ]
    return json.loads(
        node("states.mjs", [], json.dumps({"size": size, "pages": pages, "last": history.last}))
    )


def assert_shows(history: History[Any, Any], size: int) -> None:
    read = read_in_node(history, size)
    assert len(read["shown"]) == history.last + 1
    for n, shown in enumerate(read["shown"]):
        after = flatten(history.at(n))
        assert shown["state"] == {path_text(path): show(leaf) for path, leaf in after.items()}
        changes = compare(flatten(history.at(n - 1)), after) if n else []
        marked = {
            row["path"]: (row["change"], row.get("was"), row.get("value"))
            for row in shown["rows"]
            if row["change"] != "same"
        }
        assert marked == {
            path_text(path): (
                kind,
                None if kind == "added" else show(was),
                None if kind == "removed" else show(value),
            )
            for path, kind, was, value in changes
        }
    assert [(event["name"], event["fields"]) for event in read["events"]] == [
        (visible(history.describe(n)), {path_text(path): show(leaf) for path, leaf in flatten(event).items()})
        for n, event in enumerate(history.events, start=1)
    ]
    assert read["marks"] == [[n, *history.marks(n)] for n in range(1, len(history) + 1) if history.marks(n)]


@pytest.mark.parametrize("script", ["timeline.test.mjs", "store.test.mjs", "dates.test.mjs"])
def test_the_functions_of_the_widget_do_what_their_tests_say(script: str) -> None:
    told = node(script, ["--test", "--test-reporter=tap"])
    assert re.search(r"^# pass [1-9]\d*$", told, re.MULTILINE)


def test_the_browser_shows_every_prefix_of_a_run_as_the_history_has_it() -> None:
    assert_shows(long_run(230), 10_000)


def test_pages_change_nothing() -> None:
    assert_shows(long_run(230), 50)
    assert_shows(long_run(100), 50)


def test_the_browser_shows_odd_values_and_keys_that_come_and_go() -> None:
    history = History(
        ODD * 3,
        lambda _, event: event,
        initial={"text": "before"},
        describe=lambda event: str(event.get("text")),
    )
    assert_shows(history, 10_000)
    assert_shows(history, 4)


def test_the_browser_shows_a_refused_history_up_to_the_event_before() -> None:
    history = History(gapped_run(), apply_event)
    assert history.last == 4
    assert_shows(history, 10_000)
    assert_shows(history, 2)


def test_the_browser_shows_an_empty_history() -> None:
    assert_shows(History([], apply_event), 10)
    assert_shows(History([], apply_event, initial=7), 10)
