"""Answers are found in notebooks as they are really handed in."""

from __future__ import annotations

import json

import pytest

from forge.grading.answers import answers_in, same_function
from forge.grading.merge import Merged, items_of, merge
from forge.grading.sheet import Cell, Sheet, parse
from forge.grading.words import Words, words_in

from .broken.kinds import KINDS, broken, code
from .stage_one import learner, pristine, solved, solved_sheet


def merged(notebook: dict[str, object]) -> Merged:
    return merge(pristine(), parse(json.dumps(notebook).encode()))


@pytest.mark.parametrize("name", KINDS)
def test_every_right_answer_is_still_bound(name: str) -> None:
    found = merge(pristine(), parse(broken(name, solved())))
    right = {a.id: cell.text for cell in solved_sheet().cells for a in answers_in(cell.text)}
    for item, answer in items_of(pristine()).items():
        bound = found.bound[item]
        assert bound.attempted, item
        if name not in {"helpers_and_notes_of_ones_own"}:
            assert same_function(bound.text, right[item], answer.function), item
        [part] = [part for part in found.parts if item in part.items]
        assert part.origin == "answer"
        assert item in {answer.id for answer in answers_in(part.text)}, "the cell must register the answer"


@pytest.mark.parametrize("name", sorted(set(KINDS) - {"untouched", "everything_but_answers_deleted"}))
def test_what_was_mended_is_said(name: str) -> None:
    quiet = {"all_text_deleted", "first_cell_deleted", "format_minor_4", "saved_with_widget_state"}
    quiet |= {"split_between_imports_and_answer", "an_answer_merged_with_the_hint_below_it", "metadata_lost"}
    quiet |= {"decorator_in_other_words", "a_byte_order_mark_and_windows_line_ends", "ids_all_the_same"}
    quiet |= {"metadata_of_another_stage", "a_magic_above_an_answer"}
    assert bool(merge(pristine(), parse(broken(name, solved()))).mends) is (name not in quiet)


def test_an_untouched_notebook_attempts_nothing_and_needs_no_mending() -> None:
    found = merged(learner())
    assert not any(bound.attempted for bound in found.bound.values())
    assert found.mends == ()
    assert [part.origin for part in found.parts].count("answer") == len(found.bound)


def test_a_deleted_answer_is_said_and_the_shipped_cell_stands_in() -> None:
    notebook = solved()
    notebook["cells"] = [cell for cell in notebook["cells"] if '("text_order")\ndef' not in cell["source"]]
    found = merged(notebook)
    assert not found.bound["text_order"].attempted
    assert "text_order: its cell is missing" in found.mends


def test_a_comment_or_a_space_is_no_attempt() -> None:
    notebook = learner()
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].replace("    here = f", "    # I do not know.\n\n    here = f")
    assert not any(bound.attempted for bound in merged(notebook).bound.values())


def test_own_cells_stay_behind_the_cell_that_they_followed() -> None:
    notebook = solved()
    place = next(n for n, cell in enumerate(notebook["cells"]) if cell["id"].endswith("-013"))
    notebook["cells"].insert(place + 1, code("mine = 1"))
    parts = merged(notebook).parts
    names = [part.name for part in parts]
    own = next(part for part in parts if part.text == "mine = 1")
    assert names[names.index(own.name) - 1].endswith("-013")


def test_what_was_split_off_above_an_answer_stays_above_it() -> None:
    found = merge(pristine(), parse(broken("split_between_imports_and_answer", solved())))
    place = next(n for n, part in enumerate(found.parts) if "text_order" in part.items)
    assert found.parts[place - 1].text.startswith("from collections.abc import Iterable")


def test_a_changed_cell_of_the_course_runs_behind_the_pristine_one() -> None:
    notebook = solved()
    cell = next(cell for cell in notebook["cells"] if "def event(" in cell["source"])
    cell["source"] += "\nextra = 1"
    parts = merged(notebook).parts
    own = next(place for place, part in enumerate(parts) if "extra = 1" in part.text)
    assert parts[own].origin == "own"
    assert "def event(" in parts[own - 1].text


def test_merging_is_pure() -> None:
    sheet = parse(broken("cells_shuffled", solved()))
    assert merge(pristine(), sheet) == merge(pristine(), sheet)


def test_words_for_people_are_taken_out_without_running_anything() -> None:
    found = words_in(solved_sheet().cells)
    assert found.prediction == "b"
    assert found.explanation.startswith("Every event changes the state")
    assert found.covered == (1, 2)


@pytest.mark.parametrize(
    "text", ["stage.predict(1)", "stage.predict()", "stage.explain(text_that_is_nowhere)", "stage.explain("]
)
def test_words_that_are_not_there_are_empty(text: str) -> None:
    assert words_in([Cell("", "code", text)]) == Words()


@pytest.mark.parametrize("text", ["(" * 5_000, "\0", "x = " + "-" * 100_000 + "1", "def f(:\n", "'\\d'"])
def test_text_that_no_parser_likes_is_no_answer_and_no_crash(text: str) -> None:
    sheet = Sheet((Cell("", "code", text), *pristine().cells))
    assert not any(bound.attempted for bound in merge(pristine(), sheet).bound.values())


@pytest.mark.parametrize(
    "text", ["\n" * 150_000 + "x = (", " " * 150_000 + "x" * 40_000, "#" * 190_000, "@\n" * 90_000]
)
def test_text_of_any_shape_is_read_at_once(text: str) -> None:
    """A pattern that tries every way to cut it would take hours, and no limit ends a pattern."""
    data = json.dumps({"cells": [code(text)], "nbformat": 4}).encode()
    found = merge(pristine(), parse(data))
    assert not any(bound.attempted for bound in found.bound.values())


def test_of_a_notebook_without_end_the_beginning_is_read() -> None:
    notebook = solved()
    notebook["cells"] += [code("x = 1\n" * 33_000) for _ in range(20)]
    sheet = parse(json.dumps(notebook).encode())
    assert sum(len(cell.text) for cell in sheet.cells) <= 1_000_000
    assert "no more than 1000000 characters of its cells are read" in sheet.mends
    assert all(bound.attempted for bound in merge(pristine(), sheet).bound.values())
