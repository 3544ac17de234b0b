from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from forge import resources
from forge.course import lab
from forge.course.lab import lab_environment, open_workspace, read_manifest, reset, sign
from forge.course.workspace import MARKER
from forge.errors import CourseError, NotInCourse


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small course whose notebooks a test may change."""
    notebooks = tmp_path / "course" / "notebooks"
    notebooks.mkdir(parents=True)
    for name in ("00_start_here", "01_state_and_events"):
        write(notebooks / f"{name}.ipynb", f"first edition of {name}")
    monkeypatch.setenv(resources.COURSE, str(tmp_path / "course"))
    return notebooks


def write(path: Path, text: str) -> None:
    cell = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": text}
    path.write_text(
        json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8"
    )


def text(path: Path) -> str:
    return "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])


def test_a_new_workspace_holds_a_copy_of_every_notebook(course: Path, tmp_path: Path) -> None:
    said = open_workspace(tmp_path / "mine")
    assert [line.split(" ")[0] for line in said] == ["00_start_here.ipynb", "01_state_and_events.ipynb"]
    assert (tmp_path / "mine" / MARKER).is_file()
    for notebook in course.glob("*.ipynb"):
        assert text(tmp_path / "mine" / notebook.name) == text(notebook)


def test_a_learner_begins_without_outputs_so_that_no_answer_is_on_the_page(
    course: Path, tmp_path: Path
) -> None:
    output = {"output_type": "stream", "name": "stdout", "text": "It is b."}
    cell = {
        "cell_type": "code",
        "id": "b",
        "metadata": {},
        "source": "stage.inject('x')",
        "outputs": [output],
        "execution_count": 7,
    }
    content = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (course / "01_state_and_events.ipynb").write_text(json.dumps(content), encoding="utf-8")
    open_workspace(tmp_path / "mine")
    (copied,) = json.loads((tmp_path / "mine" / "01_state_and_events.ipynb").read_text(encoding="utf-8"))[
        "cells"
    ]
    assert ("".join(copied["source"]), copied["outputs"], copied["execution_count"]) == (
        "stage.inject('x')",
        [],
        None,
    )


def test_opening_again_changes_nothing(course: Path, tmp_path: Path) -> None:
    open_workspace(tmp_path / "mine")
    before = {path.name: path.read_bytes() for path in (tmp_path / "mine").iterdir() if path.is_file()}
    assert open_workspace(tmp_path / "mine") == []
    assert {
        path.name: path.read_bytes() for path in (tmp_path / "mine").iterdir() if path.is_file()
    } == before


def test_a_newer_edition_replaces_a_notebook_nobody_touched(course: Path, tmp_path: Path) -> None:
    open_workspace(tmp_path / "mine")
    write(course / "01_state_and_events.ipynb", "second edition")
    (said,) = open_workspace(tmp_path / "mine")
    assert "replaced by a newer edition" in said
    assert text(tmp_path / "mine" / "01_state_and_events.ipynb") == "second edition"


def test_a_newer_edition_never_overwrites_what_a_learner_wrote(course: Path, tmp_path: Path) -> None:
    open_workspace(tmp_path / "mine")
    own = tmp_path / "mine" / "01_state_and_events.ipynb"
    write(own, "my answer")
    write(course / "01_state_and_events.ipynb", "second edition")
    for _ in range(2):
        (said,) = open_workspace(tmp_path / "mine")
        assert "yours stays" in said
        assert "forge reset 01_state_and_events" in said
        assert text(own) == "my answer"


def test_a_file_that_was_there_before_the_workspace_is_left_alone(course: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    write(mine / "01_state_and_events.ipynb", "an older attempt")
    assert any("yours stays" in line for line in open_workspace(mine))
    assert text(mine / "01_state_and_events.ipynb") == "an older attempt"


def test_reset_brings_the_pristine_notebook_and_keeps_each_of_the_learners(
    course: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    open_workspace(mine)
    kept = []
    for attempt in ("first attempt", "second attempt"):
        write(mine / "01_state_and_events.ipynb", attempt)
        kept.append(reset("01", mine))
        assert text(mine / "01_state_and_events.ipynb") == "first edition of 01_state_and_events"
    assert [text(path) for path in kept if path] == ["first attempt", "second attempt"]
    assert [path.name for path in kept if path] == [
        "01_state_and_events.kept-1.ipynb",
        "01_state_and_events.kept-2.ipynb",
    ]


def test_resetting_what_was_never_changed_keeps_no_copy(course: Path, tmp_path: Path) -> None:
    open_workspace(tmp_path / "mine")
    assert reset("1", tmp_path / "mine") is None
    assert not list((tmp_path / "mine").glob("*.kept-*"))


def test_after_a_reset_the_notebook_follows_the_course_again(course: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    open_workspace(mine)
    write(mine / "01_state_and_events.ipynb", "mine")
    reset("01_state_and_events", mine)
    write(course / "01_state_and_events.ipynb", "second edition")
    open_workspace(mine)
    assert text(mine / "01_state_and_events.ipynb") == "second edition"


def test_a_stage_that_does_not_exist_is_refused_with_those_that_do(course: Path, tmp_path: Path) -> None:
    open_workspace(tmp_path / "mine")
    with pytest.raises(NotInCourse, match="there is 00_start_here, 01_state_and_events"):
        reset("99", tmp_path / "mine")


def test_resetting_in_a_folder_that_is_no_workspace_is_refused(course: Path, tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="this folder is not a workspace"):
        reset("01", tmp_path)


def test_the_course_itself_is_never_the_workspace(course: Path) -> None:
    root = course.parent
    inside = [root / "solutions", root / "tests" / "deep", root / ".git"]
    for folder in (course, root, *inside, Path(lab.__file__).parent):
        with pytest.raises(CourseError, match="this folder holds the course itself"):
            open_workspace(folder)
    assert open_workspace(root / "my_forge")


def test_a_damaged_manifest_is_named_and_no_notebook_is_touched(course: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    open_workspace(mine)
    write(mine / "01_state_and_events.ipynb", "mine")
    (mine / MARKER).write_text("{", encoding="utf-8")
    with pytest.raises(CourseError, match=r"forge-workspace\.json cannot be read"):
        open_workspace(mine)
    assert text(mine / "01_state_and_events.ipynb") == "mine"


def test_lab_keeps_its_own_settings_and_never_the_users(course: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    open_workspace(mine)
    environment = lab_environment(mine)
    names = [name for name in environment if name.startswith("JUPYTER") and name.endswith("_DIR")] + [
        "IPYTHONDIR"
    ]
    assert len(names) >= 6
    assert environment["PATH"].startswith(str(Path(sys.executable).parent)), "a cell finds this forge"
    assert all(Path(environment[name]).is_relative_to(mine / ".forge") for name in names)
    manager = (
        mine
        / ".forge"
        / "settings"
        / "@jupyter-widgets"
        / "jupyterlab-manager"
        / "plugin.jupyterlab-settings"
    )
    assert json.loads(manager.read_text(encoding="utf-8")) == {"saveState": True}
    manager.write_text('{"saveState": false}', encoding="utf-8")
    lab_environment(mine)
    assert json.loads(manager.read_text(encoding="utf-8")) == {"saveState": False}


def test_a_notebook_of_the_course_is_signed_and_a_strangers_is_not(course: Path, tmp_path: Path) -> None:
    from nbformat import read
    from nbformat.sign import NotebookNotary

    mine = tmp_path / "mine"
    open_workspace(mine)
    write(mine / "01_state_and_events.ipynb", "not from the course")
    data = Path(lab_environment(mine)["JUPYTER_DATA_DIR"])
    sign(mine, data)
    notary = NotebookNotary(data_dir=str(data))
    signed = {path.stem: notary.check_signature(read(path, as_version=4)) for path in mine.glob("*.ipynb")}
    assert signed == {"00_start_here": True, "01_state_and_events": False}


def test_a_users_mistake_is_one_sentence_and_exit_code_1(course: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "forge", "reset", "99", "--workspace", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("✗ no notebook is called '99'")
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_manifest_says_which_course_each_notebook_came_from(course: Path, tmp_path: Path) -> None:
    open_workspace(tmp_path / "mine")
    manifest = read_manifest(tmp_path / "mine")
    assert manifest.course_version == lab.COURSE_VERSION
    assert set(manifest.notebooks) == {"00_start_here.ipynb", "01_state_and_events.ipynb"}
