"""A source that an author broke is named, with its line, and nothing else is printed."""

import os
import subprocess
import sys

import pytest

from forge.authoring import build, prove
from forge.authoring.claims import prove_stage
from forge.errors import BuildFailed

STEM = "90_toy_stage"
STAGE = f"forge/course/stages/{STEM}.yaml"
FAULT = f"faults/{STEM}/spaces_kept"
TESTS = f"tests/stages/test_{STEM}.py"
SOURCE = f"solutions/{STEM}.py"

LATIN = "# caf\xe9\n".encode("latin-1")
BROKEN = {
    "a fault that is not Python": (
        f"{FAULT}.py",
        b"def payload_text(:\n",
        "spaces_kept.py is not Python: line 1: ",
    ),
    "a fault that cannot be imported": (
        f"{FAULT}.py",
        b"import os\nimport nothing_of_this_name\ndef payload_text(): pass\n",
        "spaces_kept.py cannot be imported: line 2: ModuleNotFoundError",
    ),
    "a fault of another name": (
        f"{FAULT}.py",
        b"def other(): pass\n",
        "spaces_kept.py defines no payload_text",
    ),
    "a fault in another encoding": (f"{FAULT}.py", b"\n" + LATIN, "spaces_kept.py is not UTF-8: line 2 "),
    "tests that are not Python": (TESTS, b"\n\ndef test_x(:\n", f"test_{STEM}.py is not Python: line 3: "),
    "a contract in another encoding": (STAGE, b"title: x\n" + LATIN, f"{STEM}.yaml is not UTF-8: line 2 "),
    "a fault's contract that is not YAML": (
        f"{FAULT}.yaml",
        b"title: x\nstory: [\n",
        "spaces_kept.yaml is not YAML",
    ),
    "a key twice": (
        f"{FAULT}.yaml",
        b"title: x\nstory: y\ntitle: z\n",
        "line 3: the key 'title' stands here a second",
    ),
    "a source in another encoding": (SOURCE, b"# %%\n" + LATIN, f"{STEM}.py is not UTF-8: line 2 "),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_named_with_its_line(toy, what):
    name, content, words = BROKEN[what]
    (toy.root / name).write_bytes(content)
    (finding,) = prove_stage(STEM).findings
    assert words in finding.found
    assert "\n" not in finding.found
    assert "Traceback" not in finding.found


def test_an_answer_to_the_prediction_that_is_no_option_is_refused(toy):
    toy.edit(STAGE, "answer: b", "answer: c")
    (finding,) = prove_stage(STEM).findings
    assert "Prediction.answer was refused: expected one of a, b, found 'c'" in finding.found


@pytest.mark.parametrize("content", ["", "not json", "[]", '{"cells": 5}', "{}"])
def test_a_notebook_that_is_none_is_stale(toy, content):
    toy.write(f"notebooks/{STEM}.ipynb", content)
    with pytest.raises(BuildFailed, match=rf"notebooks/{STEM}.ipynb: is not a notebook: .* Run forge build"):
        build(check=True)
    (finding,) = prove_stage(STEM).findings
    assert "is not a notebook" in finding.found


def test_where_nothing_is_to_be_done_somebody_is_told(toy, monkeypatch, tmp_path):
    monkeypatch.setenv("FORGE_COURSE", str(tmp_path / "empty"))
    for command, words in ((build, "no source of a notebook was found"), (prove, "no stage was found")):
        with pytest.raises(BuildFailed, match=words):
            command()


@pytest.mark.parametrize("name", ["90", STEM])
def test_a_stage_is_named_by_its_number_too(toy, name):
    assert build([name], check=True)
    assert [proof.stage for proof in prove([name]).stages] == [STEM]


def test_the_command_prints_one_line_and_fails(toy):
    toy.write(f"{FAULT}.py", "def payload_text(:\n")
    done = subprocess.run(
        [sys.executable, "-m", "forge", "prove"],
        env={**os.environ, "COLUMNS": "60"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == ""
    (line,) = done.stdout.splitlines()
    assert line == f"✗ {STEM}: {FAULT}.py is not Python: line 1: invalid syntax. Mend the line."


def test_a_proof_that_breaks_off_names_the_file_and_the_line(toy, monkeypatch):
    toy.write("sitecustomize.py", "import forge.course.judging as j\nj.test_names = None\n")
    monkeypatch.setenv("PYTHONPATH", str(toy.root))
    (finding,) = prove().findings
    assert "ground.py, line " in finding.found
    assert "TypeError: 'NoneType' object is not callable" in finding.found
    assert "\n" not in finding.found
