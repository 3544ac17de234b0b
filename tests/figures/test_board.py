from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from forge.errors import InvalidValue
from forge.figures import Board
from forge.figures.board import WIDTH

BOARD = Board(
    "Which check sees it",
    ("attack", "no hash", "records"),
    [("edit\nin place", ("✗ sees nothing", 12345)), ("cut", ("✓ `torn` tail", 7))],
    "Two attacks.\nOne log.",
)


class Cells(HTMLParser):
    """The text of every cell, with its style."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self._inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("td", "th"):
            self._inside = True
            self.found.append(("", dict(attrs)["style"] or ""))

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.found[-1] = (self.found[-1][0] + data, self.found[-1][1])


def test_as_text_a_board_is_an_aligned_table() -> None:
    assert BOARD.text() == (
        "Which check sees it\n"
        "  attack    no hash         records\n"
        "  edit      ✗ sees nothing   12,345\n"
        "  in place\n"
        "  cut       ✓ torn tail           7\n"
        "Two attacks.\n"
        "One log."
    )
    assert repr(BOARD) == BOARD.text()


def test_as_html_it_says_the_same() -> None:
    words = re.sub(r"<[^>]+>", " ", BOARD.html()).replace("&nbsp;", " ")
    assert sorted(words.split()) == sorted(BOARD.text().split())


def test_the_html_needs_no_script_and_no_style_sheet() -> None:
    assert not re.search(r"<(script|style|link|img)|class=|url\(", BOARD.html())


def test_a_row_is_named_by_its_label_and_a_column_by_its_head() -> None:
    html = BOARD.html()
    assert html.count('<th scope="row"') == 2
    assert html.count('<th scope="col"') == 3
    assert "<caption" in html


def test_a_column_without_a_name_has_no_empty_head() -> None:
    html = Board("", ("file", ""), [("a", ("✓ gone",))]).html()
    assert html.count('<th scope="col"') == 1


@pytest.mark.parametrize(
    ("glyph", "colour"), [("✓", "#0b9a92"), ("✗", "#e8480f"), ("◐", "#c98a00"), ("○", "#7d8590")]
)
def test_each_meaning_has_its_colour_and_keeps_its_glyph(glyph: str, colour: str) -> None:
    [_, (text, style)] = Cells(Board("", ("",), [("row", (f"{glyph} said",))]).html()).found
    assert text == f"{glyph}\xa0said"
    assert f"background:color-mix(in srgb,{colour}" in style


def test_a_glyph_inside_a_text_is_only_a_glyph() -> None:
    [_, (_, style)] = Cells(Board("", ("",), [("row", ("not ✓",))]).html()).found
    assert "color-mix" not in style


def test_numbers_are_monospaced_and_aligned_to_the_right_with_their_head() -> None:
    board = Board("", ("count", "share", "note"), [("a", (12345, "99.9 %", "7")), ("b", (7, "–", "seven"))])
    cells = dict(Cells(board.html()).found)
    for text in ("12,345", "99.9 %", "–"):
        assert "text-align:right" in cells[text]
        assert "jp-code-font-family" in cells[text]
    assert "text-align:right" in cells["count"]
    assert "text-align:right" not in cells["seven"]


def test_a_wide_row_is_wrapped_to_the_width_of_the_text() -> None:
    board = Board("", ("a", "b"), [("label", ("word " * 40, "short"))])
    lines = board.text().splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert " ".join(" ".join(lines).split()).count("word") == 40


def test_a_long_word_can_be_broken_at_its_underscores_and_a_hash_anywhere() -> None:
    html = Board("", ("",), [("row", (f"permission_decisions {'a' * 64}",))]).html()
    assert "permission_<wbr>decisions" in html
    assert max(map(len, re.findall("a+", re.sub("<[^w][^>]*>", "", html)))) <= 24


def test_what_cannot_be_seen_is_written_out() -> None:
    assert "\\u202e" in Board("t\u202e", ("c",), [("l", ("x",))]).text()
    assert "a\\u0000b" in Board("", ("c",), [("l", ("a\0b",))]).html()


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '"><b>', "`<b>`", "a & b", "✗ <b>"])
def test_markup_stays_text(text: str) -> None:
    html = Board(text, (text,), [(text, (text,))], text).html()
    assert "<script" not in html
    assert "<b>" not in html


@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        (("a", "b"), [("row", ("1", "2", "3"))]),
        (("a", "b"), [("row", ())]),
        (("a", "b"), [("row", ("1", "2")), ("other", ("1",))]),
    ],
)
def test_a_row_with_cells_missing_or_left_over_is_refused(
    columns: tuple[str, ...], rows: list[tuple[str, tuple[str, ...]]]
) -> None:
    with pytest.raises(InvalidValue, match=r"Board was refused: the row '(row|other)' has"):
        Board("", columns, rows)


def test_a_board_without_rows_shows_its_head() -> None:
    assert Board("Nothing yet", ("a", "b"), []).text() == "Nothing yet\n  a  b"
    assert "Nothing yet" in Board("Nothing yet", ("a", "b"), []).html()


def test_two_boards_of_the_same_content_are_the_same_bytes() -> None:
    again = Board(BOARD.title, BOARD.columns, BOARD.rows, BOARD.caption)
    assert again._repr_mimebundle_() == BOARD._repr_mimebundle_()
