from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from forge.errors import InvalidValue
from forge.figures import Block, Dial, Frame, Segment, Strip
from forge.figures.figure import EXCERPT, Figure, excerpt
from tests.tools import require_tool

HERE = Path(__file__).parent
VIEW = "application/vnd.jupyter.widget-view+json"

FRAMES = [
    Frame("before", [("in place", "old\nwhole", "✓ loads"), ("temp", "old", "✓ loads")]),
    Frame("after the write", [("in place", "new‸", "✗ lost"), ("temp", "old", "✓ loads")], "One is lost."),
    Frame("", [("in place", "new‸", "✗ lost", "returned"), ("temp", "new", "✓ loads")], "One is lost."),
]
SEGMENTS = [
    Segment("0", "holds"),
    Segment("100", "broken", [("event", "101")], "It differs."),
    Segment("200", "notyet"),
]


def bundle(figure: Figure) -> dict[str, Any]:
    made = figure._repr_mimebundle_()
    assert made is not None
    return made[0]


def test_the_functions_of_the_widgets_do_what_their_tests_say() -> None:
    command = [require_tool("node"), "--test", "--test-reporter=tap", str(HERE / "figures.test.mjs")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.search(r"^# pass [1-9]\d*$", ran.stdout, re.MULTILINE)


def test_without_a_front_end_a_dial_is_a_table_of_all_frames() -> None:
    assert bundle(Dial("A save", FRAMES, unit="writes"))["text/plain"] == (
        "A save\n"
        "  writes           in place   temp\n"
        "  0                ✓ loads    ✓ loads\n"
        "  before           old whole  old\n"
        "  1                ✗ lost     ✓ loads\n"
        "  after the write  new‸\n"
        "  2                ✗ lost     ✓ loads\n"
        "                              new\n"
        "1: One is lost."
    )


def test_without_a_front_end_a_strip_is_a_table_of_all_segments() -> None:
    assert bundle(Strip("Recovery", SEGMENTS, caption="Three keyframes."))["text/plain"] == (
        "Recovery\n  ✓ 0\n  ✗ 100  event: 101\n         It differs.\n  ○ 200\nThree keyframes."
    )


@pytest.mark.parametrize(
    "figure", [Dial("A save", FRAMES), Strip("Recovery", SEGMENTS)], ids=["dial", "strip"]
)
def test_beside_the_text_stand_the_same_as_html_and_the_widget(figure: Figure) -> None:
    made = bundle(figure)
    assert made["text/plain"] == repr(figure)
    assert made["text/html"] == figure.board.html()
    assert set(made[VIEW]) == {"version_major", "version_minor", "model_id"}


def test_two_figures_of_the_same_content_say_and_send_the_same() -> None:
    for make in (lambda: Dial("A save", FRAMES), lambda: Strip("Recovery", SEGMENTS)):
        first, second = make(), make()
        assert json.dumps(first.content) == json.dumps(second.content)
        assert [bundle(first)[kind] for kind in ("text/plain", "text/html")] == [
            bundle(second)[kind] for kind in ("text/plain", "text/html")
        ]


def test_the_browser_gets_each_verdict_with_its_meaning() -> None:
    blocks = Dial("A save", FRAMES).content["frames"][2]["blocks"]
    assert [(block["mark"], block["note"]) for block in blocks] == [("broken", "returned"), ("holds", "")]


def test_a_text_keeps_its_lines_and_shows_what_cannot_be_seen() -> None:
    dial = Dial("", [Frame("", [Block("a", "one\ntwo\0\u202e", "✓ fine")])])
    assert dial.content["frames"][0]["blocks"][0]["text"] == "one\ntwo\\u0000\\u202e"


def test_a_long_text_is_shown_in_the_table_round_its_cut() -> None:
    assert excerpt("x" * 200) == "x" * (EXCERPT - 1) + "…"
    cut = excerpt("x" * 100 + "‸" + "y" * 100)
    assert (cut[0], cut[-1]) == ("…", "…")
    assert "x‸y" in cut
    assert len(cut) <= EXCERPT
    assert excerpt("x" * 100 + "‸").endswith("x‸")


def test_a_strip_opens_at_what_is_broken() -> None:
    assert Strip("", SEGMENTS).at == 1
    assert Strip("", [SEGMENTS[0], SEGMENTS[2]]).at == 0
    assert Strip("", SEGMENTS, at=2).at == 2


@pytest.mark.parametrize("at", [-1, 3])
def test_a_place_that_is_not_there_is_refused(at: int) -> None:
    with pytest.raises(InvalidValue, match="no such place: the figure has the places 0 to 2, found"):
        Dial("", FRAMES, at=at)
    strip = Strip("", SEGMENTS)
    with pytest.raises(InvalidValue, match="no such place"):
        strip.at = at
    assert strip.at == 1


def test_a_dial_without_frames_and_a_strip_without_segments_are_refused() -> None:
    with pytest.raises(InvalidValue, match="Dial was refused: expected at least one of its frames"):
        Dial("", [])
    with pytest.raises(InvalidValue, match="Strip was refused: expected at least one of its segments"):
        Strip("", [])


def test_frames_with_different_blocks_are_refused() -> None:
    other = Frame("", [("temp", "", "✓"), ("in place", "", "✓")])
    with pytest.raises(InvalidValue, match="Dial was refused: frame 3 has the blocks"):
        Dial("", [*FRAMES, other])


@pytest.mark.parametrize("missing", ["forge.memory", "forge.context", "forge.replay"])
def test_figures_are_there_in_a_tree_that_has_not_come_to_a_stage_yet(missing: str) -> None:
    script = f"import sys; sys.modules[{missing!r}] = None; import forge.figures"
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_a_segment_with_an_unknown_meaning_is_refused() -> None:
    with pytest.raises(InvalidValue, match="expected one of holds, broken, changed, notyet, found 'good'"):
        Strip("", [Segment("0", "good")])  # type: ignore[arg-type]


def test_what_was_computed_from_data_never_becomes_html() -> None:
    markup = "<script>alert(1)</script>"
    dial = Dial(markup, [Frame(markup, [(markup, markup, markup, markup)], markup)], unit=markup)
    strip = Strip(markup, [Segment(markup, "holds", [(markup, markup)], markup)], caption=markup)
    assert "<script" not in bundle(dial)["text/html"] + bundle(strip)["text/html"]
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"):
        assert word not in Figure._esm
