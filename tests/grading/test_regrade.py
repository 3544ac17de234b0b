"""`forge grade --regrade`: what was recorded is judged again, and no answer runs again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from forge import resources

from ..tools import require_tool
from .courses import other_course
from .stage_one import STEM, answering, solved
from .test_batch import grade, result

pytestmark = pytest.mark.slow

WRONG_SCENE = {f"solutions/{STEM}.py": ("generate_brief", "write_brief")}
WRONG_REPLAY = {"forge/state/models.py": ("at least one event is required", "there is nothing to replay")}
REPLAYS = ("text_order", "clock_in_the_reducer", "mid_step_prefix")
GAP = '@stage.exercise("reject_a_gap")\ndef apply_event(state, event):\n    raise ValueError("contiguous")\n'


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("in")
    (folder / f"ada__{STEM}.ipynb").write_text(json.dumps(solved()), encoding="utf-8")
    wrong = answering({"reject_a_gap": GAP}, solved())
    (folder / f"bob__{STEM}.ipynb").write_text(json.dumps(wrong), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def right(submissions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A batch that was graded with the course as it is."""
    require_tool("bwrap")
    out = tmp_path_factory.mktemp("right")
    done = grade(submissions, out, "--jobs", "2")
    assert done.returncode == 0, done.stderr
    return out


def graded_with(changes, submissions: Path, right: Path, folder: Path) -> Path:
    """A batch with the same secret that was graded with a course whose reference was wrong."""
    out = folder / "out"
    out.mkdir()
    shutil.copy(right / ".secret", out)
    course = other_course(folder / "course", changes)
    done = grade(submissions, out, "--jobs", "2", **{resources.COURSE: str(course)})
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def wrong_replay(submissions: Path, right: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return graded_with(WRONG_REPLAY, submissions, right, tmp_path_factory.mktemp("wrong"))


def regrade(submissions: Path, out: Path, folder: Path, *options: str):
    """Without bubblewrap: a kernel that was started would be refused."""
    return grade(submissions, out, "--regrade", *options, PATH=str(folder))


def points(out: Path, learner: str = "ada") -> dict[str, float]:
    return {item.id: item.points for item in result(out, learner).items}


def test_a_corrected_reference_gives_the_points_back_and_nothing_is_run(
    submissions: Path, right: Path, tmp_path: Path
) -> None:
    out = graded_with(WRONG_SCENE, submissions, right, tmp_path)
    assert points(out)["office_brief"] == 0
    done = regrade(submissions, out, tmp_path)
    assert done.returncode == 0, done.stderr
    for name in ("gradebook.csv", "class.html", "feedback/ada.html", "feedback/bob.html"):
        assert (out / name).read_bytes() == (right / name).read_bytes(), name
    assert points(out) == points(right)
    again = grade(submissions, out, PATH=str(tmp_path))
    assert "the sandbox is not installed" in again.stderr
    assert grade(submissions, out).returncode == 0
    assert points(out) == points(right)


def test_a_probe_whose_inputs_changed_is_refused_by_name_and_nothing_is_written(
    submissions: Path, wrong_replay: Path, tmp_path: Path
) -> None:
    out = wrong_replay
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    done = regrade(submissions, out, tmp_path)
    assert done.returncode == 1
    assert f"✗ the inputs of a probe have changed: office_brief of {STEM} (2):" in done.stderr
    assert "Grade without --regrade to run these answers again." in done.stderr
    assert "--only reject_a_gap" in done.stderr
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_what_ran_on_the_same_inputs_can_be_judged_again_alone(
    submissions: Path, right: Path, wrong_replay: Path, tmp_path: Path
) -> None:
    out = wrong_replay
    lost = {item for item, earned in points(out).items() if earned < points(right)[item]}
    assert lost
    assert lost <= set(REPLAYS)
    done = regrade(submissions, out, tmp_path, *(f"--only={item}" for item in sorted(lost)))
    assert done.returncode == 0, done.stderr
    assert points(out) == points(right)


def test_only_an_answer_of_these_stages_can_be_named(submissions: Path, right: Path, tmp_path: Path) -> None:
    done = regrade(submissions, right, tmp_path, "--only", "no_such_answer")
    assert (done.returncode, "no such answer: no_such_answer" in done.stderr) == (1, True)


def test_a_file_of_which_nothing_is_recorded_is_refused_by_name(
    submissions: Path, right: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "in"
    shutil.copytree(submissions, folder)
    path = folder / f"bob__{STEM}.ipynb"
    path.write_text(json.dumps(solved()), encoding="utf-8")
    done = regrade(folder, right, tmp_path)
    assert done.returncode == 1
    assert f"nothing is recorded of a submission: bob, {STEM}" in done.stderr
    assert "without --regrade" in done.stderr
