"""What the stages hold is well formed; how faults, wrong answers and right ones fare, `forge prove` shows."""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from forge import resources
from forge.course.checking.substitute import resolve
from forge.course.contract import load_fault, load_stage, stems

STAGES = stems()
FAULTS = [(stem, entry.id) for stem in STAGES for entry in load_stage(stem).faults]
KEPT = Path(__file__).parent
SHORT = 12
"""A line of at most so many characters says nothing that a hint could give away."""

REPLAY = """
from forge.chain import canonical
from forge.state import RunEvent, reduce_events

words = {word: {word: [word]} for word in "plan draft review push".split()}
created = RunEvent(event_id="e1", run_id="run-1", sequence=1, kind="run_created", payload=words)
step = {"step": "plan"}
started = RunEvent(event_id="e2", run_id="run-1", sequence=2, kind="step_started", payload=step)
print(canonical(created.model_dump(mode="json")))
print(repr(reduce_events([created, started])))
"""


def answers(kind):
    return sorted((KEPT / kind).glob("*/*/*.py"))


def named(path):
    return "/".join(path.with_suffix("").parts[-3:])


def collected(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    ]


def items(stage):
    faults = [load_fault(stage.stem, entry.id) for entry in stage.faults]
    return [*stage.exercises, *faults, stage.transfer]


def test_the_course_has_stages():
    assert STAGES


@pytest.mark.parametrize("stem", STAGES)
def test_every_target_is_a_function_of_forge(stem):
    for item in items(load_stage(stem)):
        assert callable(resolve(item.target)), item.id


@pytest.mark.parametrize("stem", STAGES)
def test_every_test_that_is_named_exists(stem):
    stage = load_stage(stem)
    contract_tests = collected(resources.contract_tests(stem))
    scene_tests = collected(resources.scene_tests(stem))
    for exercise in stage.exercises:
        assert set(exercise.tests) <= set(contract_tests), exercise.id
    assert set(stage.transfer.tests) == set(scene_tests)
    for entry in stage.faults:
        assert set(load_fault(stem, entry.id).fails) <= set(contract_tests), entry.id


@pytest.mark.parametrize("stem", STAGES)
def test_every_fault_is_listed_and_every_listed_fault_has_its_two_files(stem):
    listed = {entry.id for entry in load_stage(stem).faults}
    folder = resources.faults(stem)
    assert {path.stem for path in folder.glob("*.yaml")} == listed
    assert {path.stem for path in folder.glob("*.py")} == listed


@pytest.mark.parametrize("stem", STAGES)
def test_no_two_answers_of_a_stage_have_one_name(stem):
    names = [item.id for item in items(load_stage(stem))]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("stem", STAGES)
def test_the_transfer_must_notice_faults_that_are_no_labs(stem):
    stage = load_stage(stem)
    hidden = {entry.id for entry in stage.faults if entry.path == "transfer"}
    assert set(stage.transfer.must_notice) == hidden


@pytest.mark.parametrize("stem", STAGES)
def test_every_solution_line_is_a_line_of_the_real_function(stem):
    for exercise in load_stage(stem).exercises:
        real = [line.strip() for line in inspect.getsource(resolve(exercise.target)).splitlines()]
        for line in exercise.solution_lines:
            assert real.count(line) == 1, line


@pytest.mark.parametrize("stem", STAGES)
def test_no_hint_or_criterion_holds_a_line_of_the_solution(stem):
    stage = load_stage(stem)
    lines = {line for e in stage.exercises for line in e.solution_lines if len(line) > SHORT}
    for item in items(stage):
        for text in (*item.hints, *getattr(item, "criteria", ())):
            assert not [line for line in lines if line.rstrip(":,") in text], text


@pytest.mark.parametrize("stem", STAGES)
def test_a_stage_takes_as_long_as_it_says(stem):
    stage = load_stage(stem)
    assert 30 <= stage.minutes.core <= 60
    assert sum(e.minutes for e in stage.exercises if e.path == "core") < stage.minutes.core
    more = [*stage.exercises, *stage.faults]
    assert (stage.minutes.more > 0) == any(item.path == "more" for item in more)


@pytest.mark.parametrize("stem", STAGES)
def test_the_core_path_has_an_exercise_and_two_faults(stem):
    stage = load_stage(stem)
    assert [e for e in stage.exercises if e.path == "core"]
    assert len([entry for entry in stage.faults if entry.path == "core"]) >= 2


@pytest.mark.parametrize("stem", STAGES)
def test_the_answer_to_the_prediction_is_one_of_its_options(stem):
    prediction = load_stage(stem).prediction
    assert prediction.answer in prediction.options


@pytest.mark.parametrize(("stem", "name"), FAULTS)
def test_a_fault_says_where_it_was_seen(stem, name):
    report = r"[\w.-]+/[\w.-]+#\d+"
    release = r"[\w-]+ \d[\w.]*: \S.+"
    assert re.fullmatch(f"{report}|{release}", load_fault(stem, name).seen_in)


@pytest.mark.parametrize(("stem", "name"), FAULTS)
def test_a_fault_names_a_command_that_runs_a_test_it_fails(stem, name):
    fault = load_fault(stem, name)
    command, _, test = fault.command.rpartition("::")
    assert command == "python -m pytest -q ../tests/test_stage.py"
    assert test in fault.fails


@pytest.mark.parametrize("path", [*answers("wrong_answers"), *answers("right_answers")], ids=named)
def test_a_kept_answer_begins_with_the_thought_behind_it(path):
    assert re.match(r"# \S.{15,}\.\n", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("stem", STAGES)
def test_every_answer_that_is_asked_for_has_kept_ones(stem):
    stage = load_stage(stem)
    at_least = {stage.transfer.id: (3, 1)}
    at_least |= {exercise.id: (5, 2) for exercise in stage.exercises}
    at_least |= {entry.id: (1, 1) for entry in stage.faults if entry.path != "transfer"}
    for name, (wrong, right) in at_least.items():
        assert len(list((KEPT / "wrong_answers" / stem / name).glob("*.py"))) >= wrong, name
        assert len(list((KEPT / "right_answers" / stem / name).glob("*.py"))) >= right, name


def test_the_first_exercise_has_many_kept_answers():
    """It is the first code a learner writes, so every plausible misunderstanding is tried."""
    of_stage = Path("01_state_and_events", "reject_a_gap")
    assert len(list((KEPT / "wrong_answers" / of_stage).glob("*.py"))) >= 14
    assert len(list((KEPT / "right_answers" / of_stage).glob("*.py"))) >= 5


def test_a_history_gives_the_same_state_whatever_the_order_of_hashes():
    """A set or a hash that decides an order would differ between two processes."""
    printed = [
        subprocess.run(
            [sys.executable, "-c", REPLAY],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(resources.root())},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1]
    assert "current_step='plan'" in printed[0]
