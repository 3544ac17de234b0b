"""What nbval does under the guard. The guard knows nothing of the course, and nor do these notebooks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from forge.grading.guarded_kernel import ending
from forge.grading.messages import kept

from .notebooks import result, stream, write

pytestmark = pytest.mark.slow

Outcome = tuple[str, str]


def run(folder: Path, *options: str) -> dict[str, list[Outcome]]:
    """How each cell of each notebook ended, by notebook: (name, "" or what its failure says)."""
    report = folder / "report.xml"
    command = [sys.executable, "-m", "pytest", "-p", "forge.grading.guard", "--nbval", "-q", "--color=no"]
    command += ["-p", "no:cacheprovider", f"--junitxml={report}", *options, str(folder)]
    subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    found: dict[str, list[Outcome]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        said = [child.text or "" for child in case if child.tag in {"failure", "error"}]
        name = case.attrib["classname"].removesuffix(".ipynb").rpartition(".")[2]
        found.setdefault(name, []).append((case.attrib["name"], "\n".join(said)))
    return found


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Outcome]]:
    folder = tmp_path_factory.mktemp("guard")
    must_raise = {"metadata": {"tags": ["raises-exception"]}}
    write(
        folder / "a_dies.ipynb",
        "import os, signal; print('last words', flush=True); os.kill(os.getpid(), signal.SIGKILL)",
        "1",
    )
    write(folder / "b_sleeps.ipynb", "import time; time.sleep(60)", ("1", {"outputs": [result("1")]}), "2")
    write(
        folder / "c_stubborn.ipynb",
        "import time\nwhile True:\n    try:\n        time.sleep(60)\n    except BaseException:\n        pass",
        "1",
    )
    write(
        folder / "d_prints.ipynb",
        ("for _ in range(2_000):\n    print('line', flush=True)\nNone", {"execution_count": None}),
        ("print('x' * 5_000_000)\n1", {"execution_count": None}),
        ("2", {"outputs": [result("2")]}),
    )
    write(
        folder / "e_small.ipynb",
        (
            "import sys; print('now', file=sys.stderr); 3",
            {"outputs": [stream("stderr", "then"), result("3")]},
        ),
        ("1", {**must_raise, "execution_count": None}),
        ("%no_such_magic\nraise ValueError", {**must_raise, "execution_count": None}),
        ("4", {"outputs": [result("5")], "metadata": {"name": "the sum"}}),
        (
            "import os\nopen('left', 'x').close()\n[os.environ[n] for n in ('PYTHONHASHSEED', 'TZ')]",
            {"outputs": [result("['0', 'UTC']")]},
        ),
    )
    return run(folder, "--nbval-cell-timeout=5", "--nbval-output-cap=100000")


def test_a_kernel_that_dies_is_named_with_its_signal_and_the_cells_after_it_are_blocked(cells) -> None:
    (_, first), (_, second) = cells["a_dies"]
    assert "the kernel died in Cell 0, by SIGKILL" in first
    assert "blocked: the kernel died in Cell 0" in second


def test_a_cell_over_its_time_is_interrupted_and_the_next_ones_are_judged_on_their_own(cells) -> None:
    (_, first), (_, second), (_, third) = cells["b_sleeps"]
    assert "the time of this cell, 5 s, was over in Cell 0" in first
    assert second == ""
    assert "Cell outputs differ" in third


def test_a_cell_that_ignores_interrupts_ends_its_kernel_and_blocks_what_follows(cells) -> None:
    (_, first), (_, second) = cells["c_stubborn"]
    assert "the time of this cell, 5 s, was over in Cell 0" in first
    assert "blocked:" in second


def test_much_output_is_no_failure(cells) -> None:
    assert [said for _, said in cells["d_prints"]] == ["", "", ""]


def test_stderr_is_not_compared(cells) -> None:
    assert cells["e_small"][0][1] == ""


def test_a_cell_that_must_raise_and_does_not_fails(cells) -> None:
    assert "must raise an exception, and raised none" in cells["e_small"][1][1]


def test_a_cell_is_reported_by_the_name_in_its_metadata(cells) -> None:
    name, said = cells["e_small"][3]
    assert name == "the sum"
    assert "Cell outputs differ" in said


def test_the_kernel_works_in_a_folder_of_its_own_with_a_pinned_environment(cells, tmp_path_factory) -> None:
    assert cells["e_small"][4][1] == ""
    assert not list(tmp_path_factory.getbasetemp().rglob("left"))


def test_after_its_budget_a_notebook_is_blocked(tmp_path: Path) -> None:
    naps = ["import time; time.sleep(1.5)"] * 4
    write(tmp_path / "long.ipynb", *naps)
    said = [words for _, words in run(tmp_path, "--nbval-budget=2")["long"]]
    assert said[0] == ""
    assert "the time of this notebook, 2 s, was over in Cell 1" in said[1]
    assert all("blocked:" in words for words in said[2:])


def test_the_guard_is_not_loaded_unless_it_is_asked_for() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "pytest", "--help"], capture_output=True, text=True, check=True
    )
    assert "--nbval-cell-timeout" in shown.stdout
    assert "--nbval-budget" not in shown.stdout


@pytest.mark.parametrize(
    ("code", "said"), [(-9, "SIGKILL"), (137, "SIGKILL"), (3, "exit code 3"), (None, "an unknown cause")]
)
def test_an_exit_code_is_put_into_words(code: int | None, said: str) -> None:
    assert ending(code) == said


@pytest.mark.parametrize(
    "message",
    [
        {"msg_type": "stream", "content": {"name": "stdout", "text": 7}},
        {"msg_type": "display_data", "content": {"data": ["text"], "metadata": {}}},
        {"msg_type": "error", "content": {"ename": "E", "evalue": "", "traceback": [1]}},
        {"msg_type": "status", "content": None},
        {"msg_type": ["stream"], "content": {}},
        {"msg_type": "stream", "content": {"name": "stderr", "text": "a warning"}},
        {},
    ],
)
def test_a_message_that_is_not_an_output_is_dropped(message: dict[str, object]) -> None:
    assert not kept(message)
