from __future__ import annotations

import html
import re

import pytest

from forge.course.panels import GLYPHS, Panel, Panels
from forge.course.source import fold

PANEL = Panel(
    "broken",
    "A sequence gap was accepted",
    "test_sequence_gaps_are_rejected",
    facts=[("expected", "ValueError: contiguous"), ("found", "two\nlines")],
    lines=["Look at `apply_event`."],
    next="Hint 1 of 3: run `stage.hint('sequence_gap')`.",
)


def test_a_panel_reads_as_text_without_any_front_end() -> None:
    assert PANEL.text() == (
        "✗ A sequence gap was accepted  [test_sequence_gaps_are_rejected]\n"
        "  expected  ValueError: contiguous\n"
        "  found     two\n"
        "            lines\n"
        "  Look at `apply_event`.\n"
        "  → Hint 1 of 3: run `stage.hint('sequence_gap')`."
    )
    assert repr(PANEL) == PANEL.text()


def test_a_panel_says_the_same_as_html() -> None:
    words = re.sub(r"<[^>]+>", " ", PANEL.html())
    for text in ("✗", PANEL.title, PANEL.meta, "expected", "found", "apply_event", "Hint 1 of 3"):
        assert html.escape(text) in words


def test_html_needs_no_script_and_no_style_sheet() -> None:
    assert not re.search(r"<(script|style|link|img)|class=|url\(", PANEL.html())


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '"><b>', "`<b>`", "a & b"])
def test_what_a_learner_wrote_is_shown_as_text(text: str) -> None:
    shown = Panel("you", text, text, facts=[(text, text)], lines=[text], next=text).html()
    assert "<script" not in shown
    assert "<b>" not in shown


@pytest.mark.parametrize("mark", GLYPHS)
def test_every_meaning_has_a_glyph_besides_its_colour(mark: str) -> None:
    panel = Panel(mark, "title")  # type: ignore[arg-type]
    assert GLYPHS[mark] in panel.html()  # type: ignore[index]
    assert panel.text().startswith(GLYPHS[mark])  # type: ignore[index]


def test_several_panels_are_one_output() -> None:
    both = Panels([PANEL, Panel("holds", "done")])._repr_mimebundle_()
    assert both["text/plain"] == PANEL.text() + "\n\n✓ done"
    assert both["text/html"].count("border-left:3px") == 2


def test_folded_lines_become_one_comment_at_their_place() -> None:
    source = "def f(x):\n    if x:\n        raise ValueError(\n            'no')\n    return x\n"
    assert fold(source, ["if x:", "raise ValueError(", "'no')"]) == (
        "def f(x):\n    # … 3 lines folded away: you write them in this stage\n    return x"
    )


def test_without_folded_lines_the_source_is_whole() -> None:
    assert fold("def f():\n\n    return 1\n", []) == "def f():\n\n    return 1"
