"""`forge grade` on a folder of submissions, from files to gradebook."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from forge import resources
from forge.grading import probing
from forge.grading.batch import grade_folder
from forge.grading.kept import safe
from forge.grading.results import Result, schema

from ..tools import require_tool
from .broken.kinds import broken
from .stage_one import STEM, answering, learner, solved

pytestmark = pytest.mark.slow

SCHEMA = resources.root() / "docs" / "results.schema.json"
KILLED = (
    '@stage.repair("text_order")\ndef reduce_events(events, initial=None):\n'
    "    import os\n    os.kill(os.getpid(), 9)\n"
)
CHATTY = (
    '@stage.repair("mid_step_prefix")\ndef reduce_events(events, initial=None):\n'
    "    import sys, warnings\n    from forge.errors import EventRefused\n"
    "    from forge.state import apply_event\n"
    "    from IPython.display import display\n    display('here')\n"
    "    print('looking', file=sys.stderr)\n    print('at', events)\n    warnings.warn('slow')\n"
    "    state = initial\n    for event in events:\n        state = apply_event(state, event)\n"
    "    if state is None:\n        raise EventRefused('at least one event is required')\n    return state\n"
)


def command(submissions: Path, out: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "forge", "grade", str(submissions), "--out", str(out), *options]


def grade(submissions: Path, out: Path, *options: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(submissions, out, *options),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, **more},
    )


def result(out: Path, name: str) -> Result:
    return Result.model_validate_json((out / "results" / name / f"{STEM}.json").read_bytes())


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("in")
    notebooks = {
        "ada": broken("cells_shuffled", solved()),
        "cy": json.dumps(answering({"text_order": KILLED, "mid_step_prefix": CHATTY}, solved())).encode(),
        "eve": b"not a notebook",
    }
    for name, data in notebooks.items():
        (folder / f"{name}__{STEM}.ipynb").write_bytes(data)
    return folder


@pytest.fixture(scope="module")
def out(submissions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    require_tool("bwrap")
    folder = tmp_path_factory.mktemp("out")
    done = grade(submissions, folder, "--jobs", "2")
    assert done.returncode == 2, done.stdout + done.stderr
    assert f"eve__{STEM}.ipynb: the file is not a notebook" in done.stdout
    return folder


def test_the_gradebook_has_a_row_for_every_learner(out: Path) -> None:
    rows = {row["learner"]: row for row in csv.DictReader((out / "gradebook.csv").open())}
    assert list(rows) == ["ada", "cy", "eve"]
    assert rows["ada"]["points"] == rows["ada"]["out of"] == "55"
    assert rows["ada"]["sandbox"] == "yes"
    assert "the answers stood in another order" in rows["ada"]["notes"]
    assert rows["eve"]["points"] == "0"
    assert "not a notebook" in rows["eve"]["notes"]


def test_an_answer_that_kills_the_kernel_costs_its_own_points_only(out: Path) -> None:
    found = {item.id: item for item in result(out, "cy").items}
    assert found["text_order"].reason == "the kernel died in probe text_order, by SIGKILL"
    assert {item.id for item in found.values() if item.verdict != "pass"} == {"text_order"}


def test_what_an_answer_prints_warns_and_displays_costs_nothing(out: Path) -> None:
    [chatty] = [item for item in result(out, "cy").items if item.id == "mid_step_prefix"]
    assert chatty.points == chatty.out_of


def test_a_result_says_what_was_seen_and_never_the_hidden_input(out: Path) -> None:
    found = result(out, "ada")
    assert found.prediction == "b"
    assert found.explanation.startswith("Every event changes")
    for item in found.items:
        assert len(item.cases) >= 6
        assert {case.expected for case in item.cases} > {"accepted"}


def test_results_follow_the_schema_that_docs_holds(out: Path) -> None:
    published = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert published == schema(), "write docs/results.schema.json again from forge.grading.results.schema()"
    for path in (out / "results").rglob("*.json"):
        jsonschema.validate(json.loads(path.read_text(encoding="utf-8")), published)


def test_the_feedback_page_shows_code_beside_the_verdict(out: Path) -> None:
    page = (out / "feedback" / "cy.html").read_text(encoding="utf-8")
    assert "os.kill(os.getpid(), 9)" in page
    assert "the kernel died in probe text_order, by SIGKILL" in page
    assert "http" not in page.replace("http-equiv", "")
    assert (out / "feedback" / "eve.html").exists()


def test_the_solved_notebook_of_every_stage_with_probes_has_all_its_points(tmp_path: Path) -> None:
    require_tool("bwrap")
    for stem in probing.stems():
        (tmp_path / "in" / "ada").mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / "ada" / f"{stem}.ipynb").write_text(json.dumps(solved(stem)), encoding="utf-8")
    graded = grade_folder(tmp_path / "in", tmp_path / "out", jobs=2)
    lost = [
        f"{one.stage}: {item.id}: {item.verdict}, {item.reason}"
        for one in graded.results
        for item in one.items
        if item.points < item.out_of
    ]
    assert lost == []
    assert [one.stage for one in graded.results] == list(probing.stems())


def test_what_is_done_is_not_done_again(submissions: Path, out: Path) -> None:
    paths = sorted((out / "results").rglob("*.json"))
    before = [path.stat().st_mtime_ns for path in paths], (out / "gradebook.csv").read_bytes()
    assert grade(submissions, out).returncode == 2
    assert ([path.stat().st_mtime_ns for path in paths], (out / "gradebook.csv").read_bytes()) == before


@pytest.fixture
def place() -> Iterator[Path]:
    """Where commands keep temporary files. Its path is short: those of sockets have to be."""
    with tempfile.TemporaryDirectory(prefix="t-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_batch_killed_at_any_moment_and_begun_again_gives_the_same(
    submissions: Path, out: Path, tmp_path: Path, place: Path
) -> None:
    moments, kills = random.Random(5), 20 if os.environ.get("FORGE_SWEEP") else 5
    again = begun(tmp_path / "0", out)
    while kills:
        finished = times(again)
        running = subprocess.Popen(
            command(submissions, again, "--jobs", "2"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": str(place)},
        )
        try:
            running.wait(moments.uniform(0.3, 6))
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGKILL)
            running.wait()
            kills -= 1
            assert finished.items() <= times(again).items(), "a finished submission was done again"
        else:
            same(again, out)
            again = begun(tmp_path / str(kills), out)
    finished = times(again)
    assert grade(submissions, again, "--jobs", "2", TMPDIR=str(place)).returncode == 2
    assert finished.items() <= times(again).items(), "a finished submission was done again"
    same(again, out)
    assert list(place.iterdir()) == [], "a killed command left something behind"


def begun(folder: Path, out: Path) -> Path:
    """A batch of which nothing is done yet, with the secret of another."""
    folder.mkdir()
    (folder / ".secret").write_bytes((out / ".secret").read_bytes())
    return folder


def times(folder: Path) -> dict[Path, int]:
    """When each result was written."""
    return {path: path.stat().st_mtime_ns for path in folder.glob("results/*/*.json")}


def same(again: Path, out: Path) -> None:
    for name in ("gradebook.csv", "files.csv", "class.html", "feedback/ada.html", "feedback/cy.html"):
        assert (again / name).read_bytes() == (out / name).read_bytes(), name


def test_without_the_sandbox_grading_refuses_unless_told_and_then_it_is_recorded(tmp_path: Path) -> None:
    (tmp_path / "in" / "bob").mkdir(parents=True)
    (tmp_path / "in" / "bob" / "01.ipynb").write_text(json.dumps(learner()), encoding="utf-8")
    (tmp_path / "in" / "bob" / "notes.txt").touch()
    refused = grade(tmp_path / "in", tmp_path / "out", PATH=str(tmp_path))
    assert refused.returncode == 1
    assert "✗ the sandbox is not installed: bwrap is missing." in refused.stderr
    told = grade(tmp_path / "in", tmp_path / "out", "--no-sandbox", PATH=str(tmp_path))
    assert told.returncode == 0, told.stderr
    [row] = csv.DictReader((tmp_path / "out" / "gradebook.csv").open())
    assert (row["sandbox"], row["points"]) == ("NO", "0")


@pytest.mark.parametrize("name", ["..", "a/b", "a\0b", ".hidden", "x" * 300, "a:b"])
def test_an_odd_name_of_a_learner_is_no_odd_path(name: str, tmp_path: Path) -> None:
    made = safe(name)
    assert (tmp_path / made).parent == tmp_path
    assert not made.startswith(".")
    assert made != safe(name + "!")


@pytest.mark.parametrize("name", ["ada", "Zoë Ångström", "a.b@c.org", "x+y"])
def test_a_usual_name_stays(name: str) -> None:
    assert safe(name) == name


def test_a_notebook_of_a_stage_without_probes_gets_a_row_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probing, "stems", lambda: ())
    (tmp_path / "in" / "bob").mkdir(parents=True)
    (tmp_path / "in" / "bob" / "01.ipynb").write_text(json.dumps(learner()), encoding="utf-8")
    found = grade_folder(tmp_path / "in", tmp_path / "out", sandboxed=False)
    assert [one.reason for one in found.files] == [f"{STEM} has no probes: it cannot be graded yet"]
    assert not found.complete
