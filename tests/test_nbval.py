"""What plain nbval says of a learner's own notebook."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from forge import resources
from forge.authoring.cells import read_source
from forge.authoring.editions import Edition, convert
from forge.course.contract import stems
from forge.course.workspace import MARKER

pytestmark = pytest.mark.slow

STEM = "01_state_and_events"
STEMS = stems() if os.environ.get("FORGE_SWEEP") else (STEM,)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / MARKER).write_text('{"course_version": "0.1.0", "notebooks": {}}', encoding="utf-8")
    return tmp_path


def graded(
    workspace: Path, edition: Edition, *, change: tuple[str, str] = ("", ""), stem: str = STEM
) -> subprocess.CompletedProcess[str]:
    """The notebook as a learner hands it in, run by nbval while grading."""
    notebook = convert(read_source(resources.source(stem)), edition)
    for cell in notebook.cells:
        if cell.cell_type == "code" and change[0]:
            cell.source = cell.source.replace(*change)
    path = workspace / f"{stem}.ipynb"
    nbformat.write(notebook, path)
    command = [sys.executable, "-m", "pytest", "--nbval-lax", "-q", "-p", "no:cacheprovider", str(path)]
    environment = {**os.environ, "FORGE_GRADING": "1"}
    return subprocess.run(
        command, cwd=workspace, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("stem", STEMS)
def test_a_finished_notebook_passes_and_grading_writes_nothing(workspace: Path, stem: str) -> None:
    done = graded(workspace, "solved", stem=stem)
    assert done.returncode == 0, done.stdout
    assert sorted(path.name for path in workspace.iterdir()) == [f"{stem}.ipynb", MARKER]


def test_an_unfinished_notebook_fails_at_each_answer_that_is_missing(workspace: Path) -> None:
    done = graded(workspace, "learner")
    assert done.returncode == 1
    for words in (
        "Not attempted yet: reject a gap",
        "Not repaired yet",
        "Not attempted yet: rebuild the run",
    ):
        assert words in done.stdout


def test_one_wrong_repair_fails_the_notebook(workspace: Path) -> None:
    done = graded(
        workspace,
        "solved",
        change=(
            "for event in events:\n        state = apply_event",
            "for event in list(events)[:9]:\n        state = apply_event",
        ),
    )
    assert done.returncode == 1
    assert "✗ Eleven events must be applied" in done.stdout


def test_a_notebook_that_was_edited_to_pass_does_pass(workspace: Path) -> None:
    """Why a class is graded by `forge grade`: nbval leaves out a cell that says so."""
    answer = '@stage.exercise("reject_a_gap")'
    done = graded(workspace, "learner", change=(answer, f"# NBVAL_SKIP\n{answer}"))
    assert "Not attempted yet: rebuild the run" in done.stdout
    assert "Not attempted yet: reject a gap" not in done.stdout
