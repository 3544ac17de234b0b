"""Every file that is handed in gets a row, whatever it is."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from forge.errors import NotInCourse
from forge.grading import sheet
from forge.grading.merge import items_of
from forge.grading.submissions import collect

from .broken.kinds import broken
from .stage_one import STEM, pristine, solved

STAGES = {STEM: frozenset(items_of(pristine())), "02_session_lifecycle": frozenset({"duplicate_run_id"})}


def row(folder: Path):
    [found] = collect(folder, STAGES)
    return found


def put(path: Path, data: bytes | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(json.dumps(solved()).encode() if data is None else data)
    return path


def test_a_notebook_in_its_learners_folder_is_read(tmp_path: Path) -> None:
    put(tmp_path / "ada" / "week 1" / "any name.ipynb")
    found = row(tmp_path)
    assert (found.learner, found.stage, found.reason) == ("ada", STEM, "")


def test_a_flat_file_names_its_learner(tmp_path: Path) -> None:
    put(tmp_path / f"ada_b__{STEM}.ipynb")
    assert row(tmp_path).learner == "ada_b"


def test_of_several_notebooks_the_newest_is_judged_and_the_others_are_reported(tmp_path: Path) -> None:
    old, new = put(tmp_path / "ada" / "b.ipynb"), put(tmp_path / "ada" / "a.ipynb")
    os.utime(old, (1, 1))
    os.utime(new, (2, 2))
    reasons = {one.path.name: one.reason for one in collect(tmp_path, STAGES)}
    assert reasons == {"a.ipynb": "", "b.ipynb": "a newer one is judged: ada/a.ipynb"}


REASONS = {
    "empty.ipynb": (b"", "the file is empty"),
    "text.ipynb": (b"hello", "the file is not a notebook: it is not JSON"),
    "latin.ipynb": ('{"cells": ["é"]}'.encode("latin-1"), "the file is not UTF-8: byte 0xe9 at position 12"),
    "list.ipynb": (b"[]", "the file is not a notebook: it is JSON without cells"),
    "deep.ipynb": (b"[" * 200_000, "the file is not a notebook: it is not JSON"),
    "other.ipynb": (b'{"cells": [], "nbformat": 4}', "no stage of this course"),
    "answers.py": (b"x = 1", "not a notebook: its name ends with .py"),
    "numbers.ipynb": (b'{"cells": ' + b"9" * 5_000 + b"}", "the file is not a notebook"),
}


@pytest.mark.parametrize("name", REASONS)
def test_a_file_that_is_no_notebook_gets_a_row_with_a_reason(name: str, tmp_path: Path) -> None:
    data, reason = REASONS[name]
    put(tmp_path / "ada" / name, data)
    assert row(tmp_path).reason.startswith(reason)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = put(tmp_path / "ada" / "big.ipynb", b"")
    os.truncate(path, 200_000_000)
    assert row(tmp_path).reason.startswith("the file is too large: 200 MB, at most 50 MB are read")


def test_a_link_a_pipe_and_a_file_of_nobody_get_rows(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    outside = put(tmp_path / "outside" / "a.ipynb")
    put(folder / "loose.ipynb")
    (folder / "eve").mkdir()
    (folder / "eve" / "file.ipynb").symlink_to(outside)
    (folder / "eve" / "folder").symlink_to(outside.parent)
    os.mkfifo(folder / "eve" / "pipe.ipynb")
    reasons = {one.path.name: one.reason for one in collect(folder, STAGES)}
    assert reasons["file.ipynb"].startswith("a link is not read")
    assert reasons["folder"].startswith("a link is not read")
    assert reasons["pipe.ipynb"] == "not a file"
    assert reasons["loose.ipynb"].startswith("no learner is named")
    assert "a.ipynb" not in reasons


def test_a_stage_is_recognised_by_its_answers_and_not_by_what_the_metadata_says(tmp_path: Path) -> None:
    put(tmp_path / "ada" / "x.ipynb", broken("metadata_of_another_stage", solved()))
    put(tmp_path / "bob" / "x.ipynb", broken("metadata_lost", solved()))
    assert [one.stage for one in collect(tmp_path, STAGES)] == [STEM, STEM]


def test_many_cells_and_long_cells_are_cut_and_said() -> None:
    cells = [{"cell_type": "code", "source": "1"}] * (sheet.MAX_CELLS + 1)
    cells[0] = {"cell_type": "code", "source": "x" * (sheet.MAX_TEXT + 1)}
    found = sheet.parse(json.dumps({"nbformat": 4, "cells": cells}).encode())
    assert len(found.cells) == sheet.MAX_CELLS - 1
    assert any("only the first 2000 of its 2001 cells" in mend for mend in found.mends)
    assert any("too long" in mend for mend in found.mends)


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotInCourse, match="no folder of submissions"):
        collect(tmp_path / "nowhere", STAGES)
