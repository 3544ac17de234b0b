"""Submissions a minute: `forge grade` in its sandbox with two jobs, `nbgrader autograde`, and `otter run`.

    python benchmarks/grading.py [submissions]

All three grade the same finished notebooks of stage 1. The two others run a notebook as it was handed in, and
then one assertion for each answer, which is the least that they can do; they have no sandbox and no hidden
inputs. Each is run as people run it: `nbgrader autograde` once for a class, `otter run` once for a notebook.
The three take turns, so that what slows the machine for a while slows all of them.
"""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from forge import resources
from forge.authoring.cells import read_source
from forge.authoring.editions import convert
from forge.grading.expected import pristine
from forge.grading.merge import items_of

STEM = "01_state_and_events"
EACH, TURNS, LEAST = 10, 3, 3.0
BIN = Path(sys.executable).parent


def solved() -> dict[str, Any]:
    """The finished notebook, with an assertion behind every answer, as nbgrader marks them."""
    notebook = dict(convert(read_source(resources.source(STEM)), "solved"))
    cells = []
    asked = {
        f'@stage.{one.kind}("{item}")': (item, one.function) for item, one in items_of(pristine(STEM)).items()
    }
    for cell in notebook["cells"]:
        cells.append(cell)
        for mark, (item, function) in asked.items():
            if cell["cell_type"] == "code" and mark in cell["source"]:
                graded = {"grade": True, "locked": True, "points": 1, "schema_version": 3, "solution": False}
                graded |= {"task": False, "grade_id": item, "cell_type": "code"}
                test = {**copy.deepcopy(cell), "id": f"test-{item}", "source": f"assert callable({function})"}
                cells.append({**test, "metadata": {"nbgrader": graded}})
    return {**notebook, "cells": cells}


def run(command: list[str], folder: Path) -> float:
    """The seconds that a command takes; one that fails ends the benchmark."""
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "FORGE_GRADING": "1"}
    start = perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    taken = perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}\n{done.stderr}")
    return taken


def ours(folder: Path, count: int, turn: int) -> float:
    for number in range(count):
        write(folder / "in" / f"learner {number}" / "01.ipynb")
    command = [sys.executable, "-m", "forge", "grade", "in", "--out", f"out-{turn}", "--jobs", "2"]
    return run(command, folder)


def nbgrader(folder: Path, count: int, turn: int) -> float:
    if not turn:
        write(folder / "source" / "stage" / "01.ipynb")
        for number in range(count):
            write(folder / "submitted" / f"learner{number}" / "stage" / "01.ipynb")
        (folder / "nbgrader_config.py").write_text(
            "c = get_config()\nc.CourseDirectory.course_id = 'course'\n"
        )
        run(["nbgrader", "generate_assignment", "stage", "--force"], folder)
    return run(["nbgrader", "autograde", "stage", "--force"], folder)


def otter(folder: Path, count: int, turn: int) -> float:
    if not turn:
        write(folder / "01.ipynb")
        (folder / "tests").mkdir()
        for item, one in items_of(pristine(STEM)).items():
            case = {"code": f">>> callable({one.function})\nTrue", "hidden": False, "locked": False}
            suite = {"cases": [case], "scored": True, "setup": "", "teardown": "", "type": "doctest"}
            test = {"name": item, "points": 1, "suites": [suite]}
            (folder / "tests" / f"{item}.py").write_text(f"OK_FORMAT = True\n\ntest = {test!r}\n")
        run(["otter", "generate", "-t", "tests", "-o", "autograder.zip", "--no-environment"], folder)
    command = ["otter", "run", "01.ipynb", "-a", "autograder.zip", "-o", ".", "--no-logo"]
    return sum(run(command, folder) for _ in range(count))


def write(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(solved()), encoding="utf-8")


def main() -> int:
    """Print what was measured; 1 when it is less than it should be."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else EACH
    graders = {"forge grade, sandboxed, two jobs": ours, "nbgrader autograde": nbgrader, "otter run": otter}
    taken: dict[str, list[float]] = {name: [] for name in graders}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        for turn in range(TURNS):
            for name, grade in graders.items():
                place = Path(folder) / grade.__name__
                place.mkdir(exist_ok=True)
                taken[name].append(grade(place, count, turn))
    rates = {name: 60 * count / median(seconds) for name, seconds in taken.items()}
    mine, *others = rates.values()
    print(f"submissions a minute, {count} notebooks of {STEM}, the middle of {TURNS} turns")
    for name, rate in rates.items():
        print(f"  {name:<34}{rate:>8.1f}")
    for name, rate in list(rates.items())[1:]:
        print(
            f"  ours to {name}: {mine / rate:.1f}, at least {LEAST}: {'✓' if mine >= LEAST * rate else '✗'}"
        )
    return 0 if all(mine >= LEAST * rate for rate in others) else 1


if __name__ == "__main__":
    sys.exit(main())
