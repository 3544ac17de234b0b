"""The options of `forge grade`, from a platform's zip to the table that it imports."""

from __future__ import annotations

import csv
import json
import zipfile
from pathlib import Path

import pytest

from forge import resources

from ..tools import require_tool
from .courses import other_course
from .stage_one import STEM, answering, solved
from .test_batch import grade

pytestmark = pytest.mark.slow

WRONG = '@stage.repair("sequence_gap")\ndef apply_event(state, event):\n    return state\n'
OPTIONS = ("--layout", "canvas", "--lms", "canvas", "--column", "01=Stage 1 (4711)")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("in") / "submissions.zip"
    with zipfile.ZipFile(path, "w") as made:
        notebook = json.dumps(answering({"sequence_gap": WRONG}, solved()))
        made.writestr(f"doejane_LATE_12345_678_{STEM}-1.ipynb", notebook)
        made.writestr("roerick_777_9_x.ipynb", "")
    return path


@pytest.fixture(scope="module")
def out(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    require_tool("bwrap")
    folder = tmp_path_factory.mktemp("out")
    done = grade(archive, folder, *OPTIONS, "--show-inputs")
    assert done.returncode == 2, done.stderr
    assert "○ roerick_777_9_x.ipynb: the file is empty" in done.stdout
    return folder


def test_the_zip_of_canvas_comes_back_as_its_table(out: Path) -> None:
    rows = list(csv.DictReader((out / "gradebook-canvas.csv").open()))
    assert [(row["Student"], row["ID"], row["Stage 1 (4711)"]) for row in rows] == [
        ("    Points Possible", "", "55"),
        ("doejane", "12345", "50"),
        ("roerick", "777", ""),
    ]


def test_hidden_inputs_are_shown_where_the_instructor_says_so_and_else_nowhere(
    archive: Path, out: Path, tmp_path: Path
) -> None:
    shown = (out / "feedback" / "doejane 12345.html").read_text(encoding="utf-8")
    assert '<pre class="wrapped">input: {&quot;' in shown
    assert '<pre class="wrapped">your answer: ' in shown
    again = grade(archive, out, *OPTIONS, PATH=str(tmp_path))
    assert "the sandbox is not installed" in again.stderr
    assert grade(archive, out, *OPTIONS).returncode == 2
    hidden = (out / "feedback" / "doejane 12345.html").read_text(encoding="utf-8")
    assert "input: " not in hidden
    assert hidden.count("expected: ") == shown.count("expected: ") > 0
    given = shown.partition(">input: ")[2].partition("</pre>")[0][:40]
    assert given not in hidden


def test_another_checkout_is_graded_with_by_name(archive: Path, tmp_path: Path) -> None:
    refused = grade(archive, tmp_path / "out", "--course", str(tmp_path))
    assert (refused.returncode, "✗ no course:" in refused.stderr) == (1, True)
    bare = tmp_path / "bare"
    (bare / "notebooks").mkdir(parents=True)
    without = grade(archive, tmp_path / "out", "--no-sandbox", "--course", str(bare))
    assert (without.returncode, "this course cannot be graded with" in without.stderr) == (1, True)
    assert "forge grade … --course DIR" in without.stderr


def test_a_checkout_of_another_edition_judges_with_its_own_forge(
    archive: Path, out: Path, tmp_path: Path
) -> None:
    change = {"forge/state/models.py": ("event sequence must be contiguous", "there is a gap")}
    course = other_course(tmp_path / "course", change)
    for name, options in (("named", ("--course", str(course))), ("variable", ())):
        more = {} if options else {resources.COURSE: str(course)}
        done = grade(archive, tmp_path / name, *OPTIONS, "--no-sandbox", *options, **more)
        assert done.returncode == 2, done.stderr
        [row] = [r for r in csv.DictReader((tmp_path / name / "gradebook.csv").open()) if float(r["points"])]
        assert float(row["points"]) < 50
