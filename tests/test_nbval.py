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
from forge.course.workspace import MARKER

pytestmark = pytest.mark.slow

STEM = "01_state_and_events"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / MARKER).write_text('{"course_version": "0.1.0", "notebooks": {}}', encoding="utf-8")
    return tmp_path


def graded(
    workspace: Path, edition: Edition, *, change: tuple[str, str] = ("", "")
) -> subprocess.CompletedProcess[str]:
    """The notebook as a learner hands it in, run by nbval while grading."""
    notebook = convert(read_source(resources.source(STEM)), edition)
    for cell in notebook.cells:
        if cell.cell_type == "code" and change[0]:
            cell.source = cell.source.replace(*change)
    path = workspace / f"{STEM}.ipynb"
    nbformat.write(notebook, path)
    command = [sys.executable, "-m", "pytest", "--nbval-lax", "-q", "-p", "no:cacheprovider", str(path)]
    environment = {**os.environ, "FORGE_GRADING": "1"}
    return subprocess.run(
        command, cwd=workspace, env=environment, capture_output=True, text=True, check=False
    )


def test_a_finished_notebook_passes_and_grading_writes_nothing(workspace: Path) -> None:
    done = graded(workspace, "solved")
    assert done.returncode == 0, done.stdout
    assert sorted(path.name for path in workspace.iterdir()) == [f"{STEM}.ipynb", MARKER]


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
