"""One stage in a notebook: the calls a learner makes, and what they show."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from IPython.display import display

from .. import resources
from ..errors import CheckFailed, CheckInterrupted
from . import judging, mastery
from .check import Report
from .contract import StageContract, load_fault, load_stage, unknown
from .evidence import Evidence
from .judging import Item
from .panels import GLYPHS, Panel, Panels
from .progress import LearningEvent, LearningKind, ProgressLog, StageProgress
from .source import source_of, test_source
from .widgets import Control, checklist, choice, one_by_one
from .workspace import Workspace, find, grading

F = TypeVar("F", bound=Callable[..., Any])


def open_stage(stem: str) -> Stage:
    """Open a stage in this notebook and show its experiment card. An unknown stem raises `NotInCourse`."""
    stage = Stage(load_stage(stem), find())
    stage.open()
    return stage


class Stage:
    """A stage at work in one notebook. Every method shows a panel; none returns anything to read."""

    def __init__(self, contract: StageContract, workspace: Workspace) -> None:
        self.contract = contract
        self.workspace = workspace
        self.progress = ProgressLog(workspace)
        self.evidence = Evidence(workspace.evidence(contract.evidence))
        self._problem = ""

    def __repr__(self) -> str:
        return f"<stage {self.contract.stem}>"

    def open(self) -> None:
        """Show the experiment card."""
        self._record(LearningKind.STAGE_OPENED, working_copy=self.workspace.kept)
        progress = self._progress()
        contract = self.contract
        lines = (
            []
            if self.workspace.kept
            else ["Progress is not kept here. `forge lab` opens a copy that keeps it."]
        )
        if self.progress.problem:
            lines.append(f"Nothing new can be recorded. {self.progress.problem}")
        lines += [
            f"{GLYPHS['changed']} {item.title} has changed since you passed it. Run its cell again."
            for item in self._items()
            if item.id in progress.passed and progress.passed[item.id].content != item.content
        ]
        facts = [
            ("experiment", contract.experiment_id),
            ("evidence", contract.evidence),
            ("acceptance", "accepted" if progress.verified and not self._missing() else "pending"),
        ]
        points = [
            ("input", contract.input),
            ("before", contract.capability.before),
            ("after", contract.capability.after),
        ]
        minutes = f"{contract.minutes.core} minutes, and {contract.minutes.more} more if you like"
        display(Panel("you", contract.title, minutes, facts, points, lines))

    def predict(self, choice_made: str | None = None) -> None:
        """Ask the stage's question; with a choice, commit to it. The first choice is the one that is kept."""
        prediction = self.contract.prediction
        kept = self._progress().prediction
        if choice_made is not None:
            if choice_made not in prediction.options:
                raise unknown("option of this question", choice_made, prediction.options)
            display(self._commit(choice_made))
        elif kept is not None:
            display(self._answered(kept))
        else:
            options = {key: option.text for key, option in prediction.options.items()}
            display(choice(prediction.question, options, 'stage.predict("a")', self._commit))

    def _commit(self, chosen: str) -> Panel:
        self._record(LearningKind.PREDICTION_MADE, choice=chosen)
        kept = self._progress().prediction or chosen
        prediction = self.contract.prediction
        if self.workspace.writable:
            text = f"Chosen: {kept}. {prediction.options[kept].text}\nAnswer: {prediction.answer}."
            self.evidence.keep_text("prediction.md", f"{prediction.question}\n\n{text}")
        return self._answered(kept)

    def _answered(self, kept: str) -> Panel:
        prediction = self.contract.prediction
        right = kept == prediction.answer
        return Panel(
            "holds" if right else "broken",
            f"You chose {kept}. " + ("That is right." if right else f"The answer is {prediction.answer}."),
            points=[
                (
                    f"{GLYPHS['holds' if key == prediction.answer else 'broken']} {key}",
                    f"{option.text}\n{option.why}",
                )
                for key, option in prediction.options.items()
            ],
        )

    def source(self, target: str) -> None:
        """Show the real function of forge. Lines that an open exercise asks for are folded away."""
        passed = self._progress().passed
        folded = [
            line
            for exercise in self.contract.exercises
            if exercise.target == target and exercise.id not in passed
            for line in exercise.solution_lines
        ]
        display(source_of(target, folded))

    def tests(self) -> None:
        """Run the stage's contract tests on forge as it is."""
        report = judging.run_contract_tests(self.contract)
        facts = [(GLYPHS["holds" if r.outcome == "passed" else "broken"], r.name) for r in report.results]
        right = sum(r.outcome == "passed" for r in report.results)
        mark = "holds" if right == len(report.results) else "broken"
        title = f"{right} of {len(report.results)} contract tests pass on forge as it ships"
        display(Panel("holds" if mark == "holds" else "broken", title, facts=facts))

    def hint(self, name: str) -> None:
        """Show the hints of an exercise, a fault or the transfer, one at a time."""
        display(self._hints(self._item(name)))

    def _hints(self, item: Item) -> Control:
        def show(count: int) -> Panel:
            hints = [(str(number), text) for number, text in enumerate(item.hints[:count], start=1)]
            return Panel("you", f"Hints: {item.title}", f"{count} of {len(item.hints)} open", points=hints)

        def opening(number: int) -> None:
            self._record(LearningKind.HINT_OPENED, item.id, number=number)

        return one_by_one(show, self._progress().hints.get(item.id, 0), len(item.hints), opening)

    def test(self, name: str) -> None:
        """Show the text of one contract test."""
        known = judging.test_names(self.contract)
        if name not in known:
            raise unknown(f"contract test of {self.contract.stem}", name, known)
        display(test_source(resources.contract_tests(self.contract.stem), name))

    def exercise(self, name: str) -> Callable[[F], F]:
        """Check the function below as the answer to an exercise."""
        exercise = self.contract.exercise(name)
        item = judging.exercise_item(self.contract, exercise)
        return self._judge(item, lambda answer: judging.check_exercise(self.contract, exercise, answer))

    def repair(self, name: str) -> Callable[[F], F]:
        """Check the function below as the repair of a fault."""
        fault = load_fault(self.contract.stem, name)
        item = judging.repair_item(self.contract, fault)
        return self._judge(item, lambda answer: judging.check_repair(self.contract, fault, answer))

    def transfer(self, name: str) -> Callable[[F], F]:
        """Check the function below as the transfer scene."""
        transfer = self.contract.transfer
        if name != transfer.id:
            raise unknown(f"transfer of {self.contract.stem}", name, [transfer.id])
        item = judging.transfer_item(self.contract, transfer)
        return self._judge(item, lambda answer: judging.check_transfer(self.contract, transfer, answer))

    def _judge(self, item: Item, run: Callable[[Callable[..., Any]], Report]) -> Callable[[F], F]:
        def decorate(answer: F) -> F:
            source = judging.answer_source(answer)
            try:
                report = run(answer)
            except KeyboardInterrupt:
                raise CheckInterrupted("the check was interrupted", "nothing was recorded.") from None
            self._kept(lambda: self._trace(item, report))
            if report.verdict == "passed":
                self._kept(lambda: self._accept(item, source))
                display(judging.passed_panel(item, report, self._next()))
                if problem := self._problem or self.progress.problem:
                    display(Panel("changed", "This answer passed and could not be kept", lines=[problem]))
            elif report.verdict == "not attempted":
                panel = judging.not_attempted_panel(item)
                if grading():
                    raise CheckFailed(panel.text(), report=report)
                display(panel)
            else:
                progress = self._progress()
                panel = judging.failed_panel(
                    item, report, progress.hints.get(item.id, 0), accepted=item.id in progress.passed
                )
                raise CheckFailed(panel.text(), report=report)
            return answer

        return decorate

    def inject(self, name: str) -> None:
        """Put a fault into forge, run the contract tests, and show how they fail."""
        fault = load_fault(self.contract.stem, name)
        report = judging.check_fault(self.contract, fault)
        self._record(LearningKind.FAULT_INJECTED, name)
        item = judging.repair_item(self.contract, fault)
        failed = judging.failed_panel(item, report, self._progress().hints.get(name, 0))
        facts = [
            (label, value) for label, value in failed.facts if label != "in your answer"
        ]  # nobody has answered
        steps = [(str(number), text) for number, text in enumerate(fault.diagnosis, start=1)]
        display(
            Panels(
                [
                    Panel(
                        "you",
                        fault.title,
                        fault.target,
                        lines=[fault.story],
                        facts=[("seen in", fault.seen_in)],
                    ),
                    Panel(failed.mark, failed.title, facts=facts),
                    Panel("you", "Diagnose in this order", points=steps),
                ]
            )
        )
        display(self._hints(item))

    def explain(self, text: str = "", covered: Sequence[int] = ()) -> None:
        """Keep the learner's explanation, then show what a strong answer contains, to mark one's own."""
        question, rubric = self.contract.explain.question, self.contract.explain.rubric
        if not text.strip():
            display(
                Panel("notyet", question, "write first", next="Write between the quotes, then run the cell.")
            )
            return
        wrong = [n for n in covered if type(n) is not int or n not in range(1, len(rubric) + 1)]
        if wrong:
            raise unknown("point of the rubric", str(wrong[0]), [str(n) for n in range(1, len(rubric) + 1)])
        before = self._progress()
        marked = tuple(covered) or (before.covered if before.explanation == text.strip() else ())

        def mark(numbers: tuple[int, ...]) -> None:
            self._record(LearningKind.EXPLAINED, text=text.strip(), covered=list(numbers))
            if self.workspace.writable:
                points = [
                    f"- [{'x' if n in numbers else ' '}] {point}" for n, point in enumerate(rubric, start=1)
                ]
                self.evidence.keep_text(
                    "explanation.md", "\n\n".join([question, text.strip(), "\n".join(points)])
                )

        mark(marked)
        title = Panel(
            "you", "A strong answer contains", next="Tick what yours says. Nobody else marks it here."
        )
        display(checklist(title, rubric, marked, mark))

    def mastery(self) -> None:
        """Read the evidence, write verification.json, and show what was shown and what is missing."""
        missing = self._missing()
        if self.progress.problem:
            hint = f"Move {self.workspace.progress.name} away to begin a new one; your answers stay."
            display(Panel("broken", "Progress cannot be read", lines=[self.progress.problem], next=hint))
            return
        if self.workspace.writable:
            self.evidence.write(mastery.verification(self.contract, self._held(), self.evidence, missing))
            self._record(LearningKind.VERIFICATION_WRITTEN)
        display(mastery.panel(self.contract, self._progress(), missing, self.workspace.kept))

    def _items(self) -> list[Item]:
        return judging.items(self.contract)

    def _item(self, name: str) -> Item:
        items = self._items()
        for item in items:
            if item.id == name:
                return item
        raise unknown(
            f"exercise, fault or transfer of {self.contract.stem}", name, [item.id for item in items]
        )

    def _missing(self) -> list[str]:
        return mastery.missing(self.contract, self._held())

    def _held(self) -> StageProgress:
        """The progress with only those answers that are still there, unchanged, to the exercise as it is."""
        progress = self._progress()
        content = {item.id: item.content for item in self._items()}
        kept = {digest.item: digest.sha256 for digest in self.evidence.digests()}
        held = {
            name: passed
            for name, passed in progress.passed.items()
            if kept.get(name) == passed.answer and content.get(name) == passed.content
        }
        return progress.model_copy(update={"passed": held})

    def _next(self) -> str:
        missing = self._missing()
        return f"Next: {missing[0]}." if missing else "Next: `stage.mastery()` writes your evidence."

    def _progress(self) -> StageProgress:
        return self.progress.stage(self.contract.stem)

    def _record(self, kind: LearningKind, item: str = "", **data: Any) -> None:
        self.progress.record(LearningEvent(kind=kind, stage=self.contract.stem, item=item, data=data))

    def _kept(self, keep: Callable[[], None]) -> None:
        """Keep something on disk; a disk that refuses must not cost the verdict."""
        self._problem = ""
        try:
            keep()
        except OSError as error:
            self._problem = str(error)

    def _accept(self, item: Item, source: str) -> None:
        if not self.workspace.writable:
            return
        path = self.evidence.keep_answer(item.id, source)
        digest = mastery.file_digest(path)
        self._record(LearningKind.ITEM_PASSED, item.id, answer=digest, content=item.content)

    def _trace(self, item: Item, report: Report) -> None:
        if not self.workspace.writable:
            return
        self.evidence.trace(
            {
                "operation_id": uuid.uuid4().hex,
                "item": item.id,
                "kind": item.kind.lower(),
                "verdict": report.verdict,
                "reason": report.reason,
                "tests": {result.name: result.outcome for result in report.results},
                "error_class": next((r.error_class for r in report.results if r.error_class), ""),
                "seconds": round(sum(result.seconds for result in report.results), 6),
                "evidence": f"answers/{item.id}.py" if report.verdict == "passed" else "",
            }
        )
