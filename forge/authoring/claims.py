"""What is shown about one stage, claim by claim. A claim yields a finding for everything that breaks it."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from .. import resources
from ..course import judging
from ..course.checking.check import Report
from ..course.notebooks import notebook_of
from ..course.reading import defective
from ..errors import CourseError, ForgeError
from . import mutants
from .answers import Collected
from .build import stale
from .cells import place
from .ground import WELL_FORMED, Finding, Ground, Judged, StageProof, at, survey
from .leaks import leaks


def prove_stage(stem: str) -> StageProof:
    """Everything that the course promises about a stage, tried in this process."""
    shown: Counter[str] = Counter()
    findings: list[Finding] = []
    try:
        with tempfile.TemporaryDirectory(prefix="forge-prove-") as folder:
            ground = survey(stem, Path(folder), shown)
            for claim in CLAIMS:
                findings += claim(ground)
    except ForgeError as error:
        findings.append(Finding(stage=stem, what=WELL_FORMED, where=stem, expected="it is", found=str(error)))
    return StageProof(stage=stem, shown=dict(shown), findings=tuple(findings))


def cells_run(ground: Ground) -> Iterator[Finding]:
    """Every cell of both editions runs, with nothing answered and with everything answered."""
    for edition, collected in (("learner", ground.learner), ("solved", ground.solved)):
        for cell, error in collected.raised:
            yield ground.finding(f"the {edition} edition runs", at(cell), "no error", error)
        ground.shown["editions run"] += not collected.raised


def cells_match_contract(ground: Ground) -> Iterator[Finding]:
    """The notebook asks for exactly what the contract lists."""
    listed = {(kind, item.id) for kind, item in ground.judged()}
    asked: Counter[tuple[str, str]] = Counter()
    for cell in ground.source.cells:
        if (answer := cell.answer()) is not None:
            asked[answer.kind, answer.id] += 1
            if (answer.kind, answer.id) not in listed:
                name = f"{answer.kind} {answer.id}"
                yield ground.finding("the contract lists what is asked", at(cell), "a listed answer", name)
    for kind, name in sorted(listed):
        if (count := asked[kind, name]) != 1:
            yield ground.finding("each answer has one cell", f"{kind} {name}", "1 cell", f"{count} cells")
    known = set(ground.tests)
    named = [(exercise.id, exercise.tests) for exercise in ground.contract.exercises]
    named += [(fault.id, fault.fails) for fault in ground.faults()]
    for name, tests in named:
        for test in sorted(set(tests) - known):
            yield ground.finding("each named test exists", name, "a contract test", test)


def stubs_fail(ground: Ground) -> Iterator[Finding]:
    """What the learner edition ships is not an answer, and the check says so."""
    for kind, item in ground.judged():
        yield from _verdict(ground, kind, item, ground.learner, "not attempted", "stubs are not answers")


def solutions_pass(ground: Ground) -> Iterator[Finding]:
    """The solved edition passes: exercises, repairs and the transfer."""
    for kind, item in ground.judged():
        yield from _verdict(ground, kind, item, ground.solved, "passed", "solutions pass")


def faults_fail_as_named(ground: Ground) -> Iterator[Finding]:
    """Each fault fails the tests that it names, no other, and with the words that it names."""
    for fault in ground.faults():
        report = judging.check_fault(ground.contract, fault)
        failing = mutants.failing(report)
        ground.noticed |= failing.keys()
        what = "a fault fails the tests it names"
        if failing.keys() != set(fault.fails):
            yield ground.finding(what, fault.id, _names(fault.fails), _names(failing) or report.reason)
            continue
        said = [
            f"{result.message} {result.expected} {result.found}"
            for test in failing.values()
            for result in test
        ]
        if not any(fault.error in text for text in said):
            yield ground.finding(
                "a failure says what the fault names", fault.id, fault.error, " | ".join(said)
            )
            continue
        ground.shown["faults fail as named"] += 1


def known_answers_are_judged_right(ground: Ground) -> Iterator[Finding]:
    """Every wrong answer that is kept is caught, every right one accepted."""
    for _, item in ground.judged():
        for kind, expected in (("wrong", "not passed"), ("right", "passed")):
            for path in _answers(kind, ground.stem, item.id):
                report = ground.judge(item, defective(path, item.target))
                if (report.verdict == "passed") != (expected == "passed"):
                    what = f"a {kind} answer is judged so"
                    yield ground.finding(what, place(path), expected, _said(report))
                else:
                    ground.shown[f"{kind} answers"] += 1


def every_test_can_fail(ground: Ground) -> Iterator[Finding]:
    """Each contract test is failed by a fault, else by a mutant of what the stage replaces."""
    ground.shown["contract tests"] = len(ground.tests)
    module = resources.contract_tests(ground.contract.stem)
    idle = tuple(test for test in ground.tests if test not in ground.noticed)
    for target in mutants.targets(ground.contract) if idle else ():
        for mutant in mutants.mutants(target):
            noticed = mutants.failed_tests(mutant, {module: idle})
            idle = tuple(test for test in idle if test not in noticed)
            ground.shown["mutants tried"] += 1
            if not idle:
                return
    for test in idle:
        yield ground.finding("every test is failed by something", test, "a fault or a mutant", "neither")


def notebook_is_fresh(ground: Ground) -> Iterator[Finding]:
    """The committed notebook comes from its source, and its outputs give no solution away."""
    path = resources.notebook(ground.stem)
    if reason := stale(ground.source):
        yield ground.finding("the notebook comes from its source", place(path), "fresh", reason)
        return
    notebook = notebook_of(path)
    found = list(leaks(ground.source, notebook, ground.contract))
    for cell, line in found:
        yield ground.finding("no solution is given away", at(cell), "unseen until asked", line)
    ground.shown["notebooks fresh"] += not found


CLAIMS = (
    cells_run,
    cells_match_contract,
    stubs_fail,
    solutions_pass,
    faults_fail_as_named,
    known_answers_are_judged_right,
    every_test_can_fail,
    notebook_is_fresh,
)


def _verdict(
    ground: Ground, kind: str, item: Judged, edition: Collected, expected: str, what: str
) -> Iterator[Finding]:
    answer = edition.functions.get((kind, item.id))
    if answer is None:
        return
    try:
        report = ground.judge(item, answer)
        verdict, found = report.verdict, _said(report)
    except CourseError as error:
        verdict, found = "could not judge", str(error)
    if verdict != expected:
        cell = ground.cell(kind, item.id)
        where = f"{kind} {item.id}, {at(cell)}" if cell else f"{kind} {item.id}"
        yield ground.finding(what, where, expected, found)
    else:
        ground.shown[what] += 1


def _answers(kind: str, stem: str, name: str) -> list[Path]:
    return sorted((resources.root() / "tests" / "course" / f"{kind}_answers" / stem / name).glob("*.py"))


def _said(report: Report) -> str:
    return ": ".join(filter(None, [report.verdict, report.reason, _names(mutants.failing(report))]))


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
