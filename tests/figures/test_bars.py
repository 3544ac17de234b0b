from __future__ import annotations

import re

from forge.figures import Bars

BARS = Bars(
    "Three windows",
    [("without", [("holds", 3, "finished"), ("broken", 6, "wasted")]), ("with", [("holds", 9, "finished")])],
    "Nine steps each.",
)


def test_the_text_draws_and_tells_every_part() -> None:
    assert BARS.text().split("\n") == [
        "Three windows",
        "  without  ███░░░░░░  ✓ 3 finished · ✗ 6 wasted",
        "  with     █████████  ✓ 9 finished",
        "Nine steps each.",
    ]


def test_a_unit_is_as_wide_in_every_row() -> None:
    widths = [float(width) for width in re.findall(r"height:14px;width:([\d.]+)%", BARS.html())]
    assert widths == [20.0, 40.0, 60.0]


def test_nothing_is_told_by_colour_alone() -> None:
    html = BARS.html()
    for words in ("3 finished", "6 wasted", "9 finished"):
        assert words in html
    assert html.count("repeating-linear-gradient") == 1


def test_text_is_escaped_and_an_empty_chart_is_no_error() -> None:
    assert "<b>" not in Bars("<b>", [("<b>", [("holds", 1, "<b>")])], "<b>").html()
    assert Bars("Nothing", []).text() == "Nothing"
    assert "Nothing" in Bars("Nothing", [("a", [("holds", 0, "finished")])]).html()


def test_a_label_has_the_room_it_needs() -> None:
    # JupyterLab gives the columns of a table equal widths otherwise, and a long label lies over its bar.
    assert "table-layout:auto" in BARS.html()
