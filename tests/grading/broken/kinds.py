"""Notebooks as they are really handed in: each function here breaks a finished one in its own way.

A function takes the notebook as JSON, changes it in place, and may return other bytes to write instead.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

Notebook = dict[str, Any]
Break = Callable[[Notebook], bytes | None]

KINDS: dict[str, Break] = {}


def kind(function: Break) -> Break:
    KINDS[function.__name__] = function
    return function


def broken(name: str, notebook: Notebook) -> bytes:
    """The bytes of a notebook broken in that way."""
    mine = copy.deepcopy(notebook)
    return KINDS[name](mine) or json.dumps(mine).encode()


def answer_at(notebook: Notebook, item: str) -> int:
    """The place of the cell that answers an item."""
    for place, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code" and f'("{item}")\ndef ' in cell["source"]:
            return place
    raise LookupError(item)


def answer(notebook: Notebook, item: str) -> dict[str, Any]:
    return notebook["cells"][answer_at(notebook, item)]


def code(text: str, **more: Any) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": text,
        **more,
    }


STUB = '@stage.exercise("reject_a_gap")\ndef apply_event(state, event):\n    raise NotImplementedError\n'


@kind
def untouched(nb: Notebook) -> None:
    pass


@kind
def answered_again_by_an_empty_copy(nb: Notebook) -> None:
    nb["cells"].insert(answer_at(nb, "reject_a_gap") + 1, code(STUB, id="copy"))


@kind
def every_answer_twice(nb: Notebook) -> None:
    nb["cells"] = [
        twin
        for cell in nb["cells"]
        for twin in ([cell, copy.deepcopy(cell)] if cell["cell_type"] == "code" else [cell])
    ]


@kind
def everything_but_answers_deleted(nb: Notebook) -> None:
    nb["cells"] = [cell for cell in nb["cells"] if "\ndef " in cell["source"] and "@stage." in cell["source"]]


@kind
def all_text_deleted(nb: Notebook) -> None:
    nb["cells"] = [cell for cell in nb["cells"] if cell["cell_type"] == "code"]


@kind
def first_cell_deleted(nb: Notebook) -> None:
    del nb["cells"][:2]


@kind
def split_between_decorator_and_function(nb: Notebook) -> None:
    _split(nb, "reject_a_gap", "def apply_event")


@kind
def split_inside_the_function(nb: Notebook) -> None:
    _split(nb, "reject_a_gap", "    if state.status in TERMINAL")


@kind
def split_between_imports_and_answer(nb: Notebook) -> None:
    _split(nb, "text_order", "@stage.repair")


@kind
def split_with_an_empty_cell_between(nb: Notebook) -> None:
    place = _split(nb, "flag_as_text", "    write_allowed =")
    nb["cells"].insert(place + 1, code(""))


@kind
def two_answers_merged_into_one_cell(nb: Notebook) -> None:
    first, second = answer_at(nb, "reject_a_gap"), answer_at(nb, "sequence_gap")
    nb["cells"][first]["source"] += "\n\n\n" + nb["cells"].pop(second)["source"]


@kind
def an_answer_merged_with_the_hint_below_it(nb: Notebook) -> None:
    place = answer_at(nb, "office_brief")
    nb["cells"][place]["source"] += "\n\n" + nb["cells"].pop(place + 1)["source"]


@kind
def an_answer_retyped_as_text(nb: Notebook) -> None:
    cell = answer(nb, "text_order")
    cell.update(cell_type="markdown")
    cell.pop("outputs"), cell.pop("execution_count")


@kind
def an_answer_retyped_as_raw(nb: Notebook) -> None:
    cell = answer(nb, "reject_a_gap")
    cell.update(cell_type="raw")
    cell.pop("outputs"), cell.pop("execution_count")


@kind
def cells_in_reverse_order(nb: Notebook) -> None:
    nb["cells"].reverse()


@kind
def cells_shuffled(nb: Notebook) -> None:
    random.Random(7).shuffle(nb["cells"])


@kind
def an_older_course_version(nb: Notebook) -> None:
    nb["metadata"]["forge"]["course_version"] = "0.0.9"
    for number, cell in enumerate(nb["cells"]):
        cell["id"] = f"old-{number}"
    nb["cells"].insert(3, code("stage.cards()", id="old-card"))


@kind
def decorator_deleted(nb: Notebook) -> None:
    cell = answer(nb, "reject_a_gap")
    cell["source"] = cell["source"].replace('@stage.exercise("reject_a_gap")\n', "")


@kind
def decorator_misspelt(nb: Notebook) -> None:
    cell = answer(nb, "mid_step_prefix")
    cell["source"] = cell["source"].replace('"mid_step_prefix"', '"mid_step_prefx"')


@kind
def decorator_and_id_lost(nb: Notebook) -> None:
    cell = answer(nb, "beyond_the_head")
    cell["source"] = cell["source"].replace('@stage.repair("beyond_the_head")\n', "")
    cell["id"] = "new"


@kind
def decorator_in_other_words(nb: Notebook) -> None:
    cell = answer(nb, "reject_a_gap")
    cell["source"] = cell["source"].replace('("reject_a_gap")', "(name='reject_a_gap')")


@kind
def ids_missing(nb: Notebook) -> None:
    for cell in nb["cells"]:
        cell.pop("id", None)


@kind
def ids_all_the_same(nb: Notebook) -> None:
    for cell in nb["cells"]:
        cell["id"] = "same"


@kind
def metadata_lost(nb: Notebook) -> None:
    nb["metadata"] = {}
    for cell in nb["cells"]:
        cell["metadata"] = {}


@kind
def metadata_of_another_stage(nb: Notebook) -> None:
    nb["metadata"]["forge"]["stage"] = "02_session_lifecycle"


@kind
def format_3(nb: Notebook) -> bytes:
    cells = []
    for cell in nb["cells"]:
        field = "input" if cell["cell_type"] == "code" else "source"
        cells.append({"cell_type": cell["cell_type"], field: cell["source"].splitlines(keepends=True)})
    return json.dumps({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": cells}]}).encode()


@kind
def format_minor_4(nb: Notebook) -> None:
    nb["nbformat_minor"] = 4


@kind
def saved_with_widget_state(nb: Notebook) -> None:
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "0", "version_major": 2}}
    nb["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {"0": "x" * 100_000}}}
    nb["cells"][1]["outputs"] = [{"output_type": "display_data", "data": view, "metadata": {}}]


@kind
def a_byte_order_mark_and_windows_line_ends(nb: Notebook) -> bytes:
    for cell in nb["cells"]:
        cell["source"] = cell["source"].replace("\n", "\r\n")
    return b"\xef\xbb\xbf" + json.dumps(nb).encode()


@kind
def nbval_markers_and_tags(nb: Notebook) -> None:
    cell = answer(nb, "reject_a_gap")
    cell["source"] = "# NBVAL_SKIP\n" + cell["source"]
    cell["metadata"]["tags"] = ["nbval-skip"]


@kind
def helpers_and_notes_of_ones_own(nb: Notebook) -> None:
    place = answer_at(nb, "text_order")
    nb["cells"].insert(place, code("def in_order(events):\n    return list(events)"))
    text = nb["cells"][place + 1]["source"]
    nb["cells"][place + 1]["source"] = text.replace("in events:", "in in_order(events):")
    nb["cells"].insert(0, {"cell_type": "markdown", "metadata": {}, "source": "My notes"})


@kind
def a_cell_that_is_not_python(nb: Notebook) -> None:
    nb["cells"].insert(5, code("why does this not work???"))
    nb["cells"].insert(9, code("%%timeit\nx = 1"))


@kind
def a_magic_above_an_answer(nb: Notebook) -> None:
    cell = answer(nb, "reject_a_gap")
    cell["source"] = "%load_ext autoreload\n" + cell["source"]


@kind
def cells_that_are_no_cells(nb: Notebook) -> None:
    nb["cells"][3:3] = [None, 7, {"cell_type": "code"}, {"cell_type": "code", "source": {"a": 1}}]


def _split(nb: Notebook, item: str, before: str) -> int:
    place = answer_at(nb, item)
    cell = nb["cells"][place]
    head, found, tail = cell["source"].partition(before)
    assert found
    cell["source"] = head.rstrip("\n")
    nb["cells"].insert(place + 1, code(found + tail, id="other-half"))
    return place
