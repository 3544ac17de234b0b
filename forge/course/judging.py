"""Judge one answer: run its check, and say in a panel what came of it."""

from __future__ import annotations

import ast
import inspect
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from .. import resources
from ..chain import canonical, sha256
from .checking.answers import Answer, calls_itself, same_code
from .checking.check import FORGOTTEN, Limits, OverTime, Report, check, run_tests, time_limited
from .checking.substitute import substitute
from .contract import Exercise, Fault, StageContract, Transfer, load_fault
from .panels import Panel
from .reading import parsed, text_of

_LIMITS = Limits(kill=60)
# A call into C that never returns and keeps Python's lock lets nothing else speak. After a minute the kernel
# ends itself; Jupyter says so and starts it again, and the notebook loses nothing.


@dataclass(frozen=True)
class Item:
    """Something a learner answers: an exercise, a repair or a transfer, in one form."""

    id: str
    kind: str
    title: str
    target: str
    minutes: int
    hints: tuple[str, ...]
    content: str
    """A digest of all that the answer is held to: it changes when the item does."""


def exercise_item(stage: StageContract, exercise: Exercise) -> Item:
    """The exercise as an item."""
    content = _content(stage, exercise)
    return Item(
        exercise.id, "Exercise", exercise.title, exercise.target, exercise.minutes, exercise.hints, content
    )


def repair_item(stage: StageContract, fault: Fault) -> Item:
    """The repair of a fault as an item."""
    content = _content(stage, fault, fault.source(stage.stem))
    return Item(fault.id, "Repair", fault.title, fault.target, fault.minutes, fault.hints, content)


def transfer_item(stage: StageContract, transfer: Transfer) -> Item:
    """The transfer as an item."""
    content = _content(stage, transfer, text_of(resources.scene_tests(stage.stem)))
    return Item(
        transfer.id, "Transfer", transfer.title, transfer.target, transfer.minutes, transfer.hints, content
    )


def items(stage: StageContract) -> list[Item]:
    """Everything a learner answers in a stage: exercises, repairs, the transfer."""
    faults = [load_fault(stage.stem, entry.id) for entry in stage.faults if entry.path != "transfer"]
    return [
        *(exercise_item(stage, exercise) for exercise in stage.exercises),
        *(repair_item(stage, fault) for fault in faults),
        transfer_item(stage, stage.transfer),
    ]


def _content(stage: StageContract, contract: Exercise | Fault | Transfer, *more: str) -> str:
    tests = text_of(resources.contract_tests(stage.stem))
    return sha256(canonical([contract.model_dump(mode="json"), tests, *more]))


def check_exercise(stage: StageContract, exercise: Exercise, answer: Answer) -> Report:
    """The exercise's tests, with the answer in place of its target."""
    return _check(stage, exercise.target, answer, exercise.tests)


def check_repair(stage: StageContract, fault: Fault, answer: Answer) -> Report:
    """Every contract test of the stage, with the repaired function in place."""
    if same_code(answer, fault.source(stage.stem)):
        return Report(
            target=fault.target, verdict="not attempted", reason="the defective function is unchanged"
        )
    return _check(stage, fault.target, answer, test_names(stage))


def check_fault(stage: StageContract, fault: Fault) -> Report:
    """Every contract test of the stage, with the fault in place."""
    return _check(stage, fault.target, fault.function(stage.stem), test_names(stage))


def check_transfer(stage: StageContract, transfer: Transfer, answer: Answer) -> Report:
    """The scene on forge as it is, then once under each fault that it must notice."""
    module = resources.scene_tests(stage.stem)
    with calls_itself(answer):
        report = check(transfer.target, answer, transfer.tests, module=module, limits=_LIMITS)
    if report.verdict != "passed":
        return report
    for name in transfer.must_notice:
        fault = load_fault(stage.stem, name)
        with substitute(fault.target, fault.function(stage.stem)) as substitution:
            noticed = _raises(answer) and substitution.calls > 0
        if not noticed:
            reason = f"none of your assertions fails under this fault: “{_lower(fault.title)}”"
            return report.model_copy(update={"verdict": "failed", "reason": reason, "story": fault.story})
    if _raises(answer):
        # Else a scene that trips over what an earlier run left behind would seem to notice everything.
        reason = "the scene does not come out the same when it is run again"
        return report.model_copy(update={"verdict": "failed", "reason": reason})
    return report


def _raises(answer: Answer) -> bool:
    """Whether the scene, in a new folder if it takes one, ends with an error of its own."""
    with tempfile.TemporaryDirectory(prefix="forge-scene-") as folder:
        arguments = [Path(folder)] if inspect.signature(answer).parameters else []
        try:
            with calls_itself(answer):
                time_limited(lambda: answer(*arguments), limits=_LIMITS)
        except OverTime:
            return False
        except (Exception, SystemExit, pytest.fail.Exception):  # the last is how `pytest.raises` says no
            return True
    return False


def _check(stage: StageContract, target: str, answer: Answer, tests: Sequence[str]) -> Report:
    with calls_itself(answer):
        return check(target, answer, tests, module=resources.contract_tests(stage.stem), limits=_LIMITS)


def targets(stage: StageContract) -> tuple[str, ...]:
    """Every function that the stage's exercises, faults and transfer stand in for."""
    faults = [load_fault(stage.stem, entry.id).target for entry in stage.faults]
    found = [*(exercise.target for exercise in stage.exercises), *faults, stage.transfer.target]
    return tuple(dict.fromkeys(found))


def test_names(stage: StageContract) -> tuple[str, ...]:
    """The contract tests of a stage, in the order of their file."""
    return tests_in(resources.contract_tests(stage.stem))


def tests_in(module: Path) -> tuple[str, ...]:
    """The tests that a file defines, in their order."""
    tree = parsed(module)
    return tuple(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    )


test_names.__test__ = False  # type: ignore[attr-defined]


def run_contract_tests(stage: StageContract) -> Report:
    """Every contract test of the stage, on forge as it is."""
    return run_tests(test_names(stage), module=resources.contract_tests(stage.stem))


def passed_panel(item: Item, report: Report, following: str) -> Panel:
    """The panel of an accepted answer."""
    count = len(report.results)
    meta = f"{count} tests passed" if count > 1 else "its test passed"
    title = (
        f"Repaired: “{_lower(item.title)}”"
        if item.kind == "Repair"
        else f"{item.kind} passed: {_lower(item.title)}"
    )
    printed = [("printed", shorten(report.output))] if report.output.strip() else []
    return Panel("holds", title, meta, facts=printed, next=following)


def not_attempted_panel(item: Item) -> Panel:
    """The panel of an answer that was not begun."""
    title, minutes = _lower(item.title), f"about {item.minutes} minutes"
    if item.kind == "Repair":
        return Panel("notyet", f"Not repaired yet: “{title}”", minutes)
    done = "When your answer stands in the cell, delete the line that raises NotImplementedError."
    return Panel("notyet", f"Not attempted yet: {title}", minutes, next=done)


def failed_panel(item: Item, report: Report, opened: int, *, accepted: bool = False) -> Panel:
    """The panel of an answer that did not pass: the first test that failed, and the hint to open.

    `accepted` says that an earlier answer was.
    """
    facts: list[tuple[str, str]] = []
    title = report.reason
    for result in report.results:
        if result.outcome in {"passed", "not run"}:
            continue
        title = result.message or result.title
        pairs = (
            ("test", result.name),
            ("expected", result.expected),
            ("found", result.found),
            ("in your answer", result.answer),
        )
        facts = [(label, value) for label, value in pairs if value]
        facts.append(("read it", f"stage.test({result.name.partition('[')[0]!r})"))
        if report.reason and FORGOTTEN not in result.found:
            facts.append(("also", report.reason))
        break
    if report.output.strip():
        facts.append(("printed", shorten(report.output)))
    lines = [report.story] if report.story else []
    if accepted:
        lines.append("An earlier answer of yours was accepted, and still counts.")
    return Panel("broken", _upper(title), facts=facts, lines=lines, next=hint_line(item, opened))


def hint_line(item: Item, opened: int) -> str:
    """Which hint to open next, and how."""
    if opened >= len(item.hints):
        return f"All hints are open: `stage.hint({item.id!r})` shows them again."
    return f"Hint {opened + 1} of {len(item.hints)}: run `stage.hint({item.id!r})`."


def shorten(text: str, lines: int = 4, width: int = 100) -> str:
    """The first lines of what was printed."""
    kept = [line[:width] for line in text.strip().splitlines()]
    return "\n".join(kept[:lines] + (["…"] if len(kept) > lines else []))


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _upper(text: str) -> str:
    # A name such as step_started begins a sentence as it is.
    return text[:1].upper() + text[1:] if text.partition(" ")[0].isalpha() else text
