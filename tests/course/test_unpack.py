import json
import os
import shlex
import shutil
import subprocess
import sys

import pytest

from forge.course.contract import load_fault, load_stage
from forge.course.unpack import unpack
from forge.errors import NotInCourse, StorageError

STEM = "01_state_and_events"
STAGE = load_stage(STEM)
LABS = [load_fault(STEM, entry.id) for entry in STAGE.faults if entry.path != "transfer"]
GAP = "python -m pytest -q ../tests/test_stage.py::test_sequence_gaps_are_rejected"
ALL = "python -m pytest -q tests/test_stage.py"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labs") / "stage 1"
    unpack(STEM, folder)
    return folder


def run(command, folder, *, plugins=False):
    """Run a command as printed, with this interpreter and without the pytest options of this run.

    Without `plugins` those that are installed are not loaded, which takes half of the time.
    """
    _, *words = shlex.split(command)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    if not plugins:
        environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    return subprocess.run(
        [sys.executable, *words, "-p", "no:cacheprovider"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def failed(ended):
    """The tests that failed, by name."""
    lines = [line for line in ended.stdout.splitlines() if line.startswith("FAILED")]
    return {line.split("::")[1].partition(" ")[0].partition("[")[0] for line in lines}


def test_the_solution_passes_and_the_start_fails_as_not_attempted(lab):
    solved = run(f"{ALL} --as solution", lab, plugins=True)
    assert solved.returncode == 0, solved.stdout + solved.stderr
    begun = run(f"{ALL} --as start", lab)
    assert begun.returncode == 1
    assert "test_sequence_gaps_are_rejected" in failed(begun)
    assert f'NotImplementedError("{STAGE.exercises[0].id}")' in begun.stdout


def test_a_faulty_tree_that_is_named_fails_the_tests_of_its_contract(lab):
    fault = LABS[0]
    ended = run(f"{ALL} --as fault:{fault.id}", lab)
    assert failed(ended) == set(fault.fails), ended.stdout + ended.stderr


@pytest.mark.parametrize("fault", LABS, ids=lambda fault: fault.id)
def test_the_command_of_a_fault_works_as_printed_from_inside_its_tree(lab, fault):
    ended = run(fault.command, lab / "faulty" / fault.id)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert failed(ended) <= set(fault.fails)


@pytest.mark.parametrize(("tree", "code"), [("solution", 0), ("start", 1)])
def test_the_command_of_the_exercise_works_as_printed_from_inside_a_tree(lab, tree, code):
    assert run(GAP, lab / tree, plugins=True).returncode == code


def test_a_tree_that_is_copied_up_is_tested_without_a_name(lab, tmp_path):
    copy = tmp_path / "lab"
    shutil.copytree(lab, copy)
    refused = run(ALL, copy)
    assert refused.returncode == 4
    assert "no forge here: add --as start" in refused.stderr
    shutil.copytree(copy / "start" / "forge", copy / "forge")
    assert run(ALL, copy).returncode == 1
    shutil.copytree(copy / "solution" / "forge", copy / "forge", dirs_exist_ok=True)
    assert run(ALL, copy).returncode == 0


def test_the_forge_that_is_tested_is_the_one_of_the_tree(lab, tmp_path):
    copy = tmp_path / "lab"
    shutil.copytree(lab, copy)
    test = "import forge, forge.state\nfrom pathlib import Path\n\ndef test_place():\n"
    for tree in ("start", "solution", f"faulty/{LABS[0].id}"):
        expected = (copy / tree / "forge").resolve()
        for module in ("forge", "forge.state"):
            test += f"    assert Path({module}.__file__).is_relative_to({str(expected)!r})\n"
        (copy / "tests" / "test_place.py").write_text(test, encoding="utf-8")
        name = tree.replace("faulty/", "fault:")
        ended = run(f"python -m pytest -q tests/test_place.py --as {name}", copy)
        assert ended.returncode == 0, ended.stdout
        test = test[: test.index("    assert")]


def test_a_plugin_that_imported_an_installed_forge_does_not_win(lab, tmp_path):
    copy = tmp_path / "lab"
    shutil.copytree(lab, copy)
    (copy / "early.py").write_text("import forge.state\n", encoding="utf-8")
    assert run(f"{ALL} -p early --as start", copy).returncode == 1


def test_an_unknown_tree_is_refused_with_the_names_there_are(lab):
    ended = run(f"{ALL} --as fault:none", lab)
    assert ended.returncode == 4
    assert f"start, solution, fault:{min(fault.id for fault in LABS)}" in ended.stderr


def test_the_fixture_tells_the_first_faults_story_and_all_of_them(lab):
    told = json.loads((lab / "fixtures" / "failure.json").read_text(encoding="utf-8"))
    assert told["id"] == LABS[0].id
    assert told["story"] == LABS[0].story
    assert [fault["id"] for fault in told["faults"]] == [fault.id for fault in LABS]
    assert all((lab / fault["tree"] / "forge").is_dir() for fault in told["faults"])


def test_the_faults_of_the_transfer_are_not_given_away(lab):
    hidden = [entry.id for entry in STAGE.faults if entry.path == "transfer"]
    assert hidden
    assert sorted(path.name for path in lab.glob("faulty/*/forge/..")) == [".."] * len(LABS)
    assert not any((lab / "faulty" / name).exists() for name in hidden)


def test_trees_differ_in_the_replaced_function_only(lab):
    trees = [lab / "start", *(lab / "faulty" / fault.id for fault in LABS)]
    targets = [STAGE.exercises[0].target, *(fault.target for fault in LABS)]
    for tree, target in zip(trees, targets, strict=True):
        texts = {path.relative_to(tree): path.read_bytes() for path in tree.rglob("*.py")}
        same = {path.relative_to(lab / "solution") for path in (lab / "solution").rglob("*.py")}
        assert texts.keys() == same
        changed = [name for name in same if texts[name] != (lab / "solution" / name).read_bytes()]
        assert [name.with_suffix("").as_posix().replace("/", ".") for name in changed] == [
            target.partition(":")[0]
        ]


def test_a_lab_holds_the_modules_of_its_stage_and_no_others(lab):
    held = {path.name for path in (lab / "solution" / "forge").iterdir()}
    assert {"__init__.py", "state", "errors.py", "chain.py"} <= held
    assert not held & {"course", "authoring", "timeline", "cli", "_data"}


def test_the_readme_says_in_which_folder_each_command_is_run(lab):
    text = (lab / "README.md").read_text(encoding="utf-8")
    for line in ("Here, on any tree:", "In start, and in solution:", f"In faulty/{LABS[0].id}:", GAP, ALL):
        assert line in text


def test_unpacking_says_what_can_be_run(tmp_path):
    lines = unpack(STEM, tmp_path / "lab")
    assert lines[0].startswith(STAGE.title)
    assert f"    {ALL} --as solution" in lines


def test_a_folder_that_holds_something_is_refused_and_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(StorageError, match=r"holds mine\.txt"):
        unpack(STEM, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    with pytest.raises(StorageError, match="is a file"):
        unpack(STEM, tmp_path / "mine.txt")


def test_an_empty_folder_is_taken_and_nothing_is_left_beside_it(tmp_path):
    (tmp_path / "lab").mkdir()
    unpack(STEM, tmp_path / "lab")
    assert [path.name for path in tmp_path.iterdir()] == ["lab"]
    assert (tmp_path / "lab" / "start" / "forge" / "__init__.py").is_file()


def test_an_unknown_stage_leaves_no_folder(tmp_path):
    with pytest.raises(NotInCourse, match=STEM):
        unpack("99_nothing", tmp_path / "lab")
    assert list(tmp_path.iterdir()) == []
