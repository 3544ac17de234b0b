"""One stage in a notebook: the calls a learner makes, and what they show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from IPython.display import display

from .. import resources
from ..errors import CheckFailed, CheckInterrupted, CourseError
from . import cards, judging, mastery
from .checking import originals
from .checking.answers import answer_source
from .checking.check import Report
from .checking.substitute import resolve
from .contract import StageContract, in_full, load_fault, load_stage, stems, unknown
from .judging import Item
from .keeping import Keeping
from .panels import Panel
from .progress import LearningKind
from .source import source_of, test_source
from .widgets import Control, checklist, choice, one_by_one
from .workspace import Workspace, find, grading

F = TypeVar("F", bound=Callable[..., Any])


def open_stage(stem: str) -> Stage:
    """Open a stage in this notebook and show its experiment card. Its number is enough: `open_stage("01")`.

    An unknown stem raises `NotInCourse`.
    """
    stage = Stage(load_stage(in_full(_text("a stage", stem, 'open_stage("01")'), stems(), "stage")), find())
    stage.open()
    return stage


class Stage:
    """A stage at work in one notebook. Every method shows a panel; none returns anything to read."""

    def __init__(self, contract: StageContract, workspace: Workspace) -> None:
        self.contract = contract
        self.workspace = workspace
        self.keeping = Keeping(contract, workspace)
        self.progress = self.keeping.log
        self.evidence = self.keeping.evidence

    def __repr__(self) -> str:
        return f"<stage {self.contract.stem}>"

    def open(self) -> None:
        """Show the experiment card."""
        self.keeping.record(LearningKind.STAGE_OPENED, working_copy=self.workspace.kept)
        originals.remember(judging.targets(self.contract))
        display(cards.experiment(self.keeping))

    def predict(self, choice_made: str | None = None) -> None:
        """Ask the stage's question; with a choice, commit to it. The first choice is the one that is kept."""
        prediction = self.contract.prediction
        kept = self.keeping.progress().prediction
        if choice_made is not None:
            if _text("a choice", choice_made, 'stage.predict("a")') not in prediction.options:
                raise unknown("option of this question", choice_made, prediction.options)
            display(self._commit(choice_made))
            self._say_what_was_not_kept()
        elif kept is not None:
            display(cards.answered(prediction, kept))
        else:
            options = {key: option.text for key, option in prediction.options.items()}
            display(choice(prediction.question, options, 'stage.predict("a")', self._commit))

    def _commit(self, chosen: str) -> Panel:
        self.keeping.record(LearningKind.PREDICTION_MADE, choice=chosen)
        kept = self.keeping.progress().prediction or chosen
        prediction = self.contract.prediction
        text = f"Chosen: {kept}. {prediction.options[kept].text}\nAnswer: {prediction.answer}."
        self.keeping.text("prediction.md", f"{prediction.question}\n\n{text}")
        return cards.answered(prediction, kept)

    def source(self, target: str) -> None:
        """Show the real function of forge. Lines that an open exercise asks for are folded away."""
        example = f"stage.source({self.contract.exercises[0].target!r})"
        function = resolve(_text("a function of forge", target, example))
        passed = self.keeping.progress().passed
        folded = [
            line
            for exercise in self.contract.exercises
            if resolve(exercise.target) is function and exercise.id not in passed
            for line in exercise.solution_lines
        ]
        display(source_of(target, folded))

    def tests(self) -> None:
        """Run the stage's contract tests on forge as it is."""
        self._require_forge_unchanged()
        display(cards.contract_tests(judging.run_contract_tests(self.contract)))

    def hint(self, name: str) -> None:
        """Show the hints of an exercise, a fault or the transfer, one at a time."""
        display(self._hints(self._item(name)))

    def _hints(self, item: Item) -> Control:
        def show(count: int) -> Panel:
            hints = [(str(number), text) for number, text in enumerate(item.hints[:count], start=1)]
            return Panel("you", f"Hints: {item.title}", f"{count} of {len(item.hints)} open", points=hints)

        def opening(number: int) -> None:
            self.keeping.record(LearningKind.HINT_OPENED, item.id, number=number)

        return one_by_one(show, self._opened(item.id), len(item.hints), opening)

    def test(self, name: str) -> None:
        """Show the text of one contract test, or of a test of the transfer."""
        stem = self.contract.stem
        places = {name: resources.contract_tests(stem) for name in judging.test_names(self.contract)}
        places |= dict.fromkeys(self.contract.transfer.tests, resources.scene_tests(stem))
        if name not in places:
            raise unknown(f"contract test of {stem}", str(name), places)
        display(test_source(places[name], name))

    def exercise(self, name: str) -> Callable[[F], F]:
        """Check the function below as the answer to an exercise."""
        exercise = self.contract.exercise(name)
        item = judging.exercise_item(self.contract, exercise)
        return self._judge(item, lambda answer: judging.check_exercise(self.contract, exercise, answer))

    def repair(self, name: str) -> Callable[[F], F]:
        """Check the function below as the repair of a fault."""
        fault = load_fault(self.contract.stem, self.contract.lab(name).id)
        item = judging.repair_item(self.contract, fault)
        return self._judge(item, lambda answer: judging.check_repair(self.contract, fault, answer))

    def transfer(self, name: str) -> Callable[[F], F]:
        """Check the function below as the transfer scene."""
        transfer = self.contract.the_transfer(name)
        item = judging.transfer_item(self.contract, transfer)
        return self._judge(item, lambda answer: judging.check_transfer(self.contract, transfer, answer))

    def _judge(self, item: Item, run: Callable[[Callable[..., Any]], Report]) -> Callable[[F], F]:
        def decorate(answer: F) -> F:
            source = answer_source(answer)
            self._require_forge_unchanged()
            try:
                report = run(answer)
            except KeyboardInterrupt:
                raise CheckInterrupted("the check was interrupted", "nothing was recorded.") from None
            self.keeping.trace(item, report)
            if report.verdict == "passed":
                self.keeping.accept(item, answer, source)
                display(judging.passed_panel(item, report, self._next()))
                self._say_what_was_not_kept("This answer passed and could not be kept")
            elif report.verdict == "not attempted":
                panel = judging.not_attempted_panel(item)
                if grading():
                    raise CheckFailed(panel.text(), report=report)
                display(panel)
            else:
                accepted = item.id in self.keeping.progress().passed
                panel = judging.failed_panel(item, report, self._opened(item.id), accepted=accepted)
                raise CheckFailed(panel.text(), report=report)
            return answer

        return decorate

    def inject(self, name: str) -> None:
        """Put a fault into forge, run the contract tests, and show how they fail."""
        fault = load_fault(self.contract.stem, self.contract.lab(name).id)
        self._require_forge_unchanged()
        report = judging.check_fault(self.contract, fault)
        self.keeping.record(LearningKind.FAULT_INJECTED, fault.id)
        item = judging.repair_item(self.contract, fault)
        failed = judging.failed_panel(item, report, self._opened(fault.id))
        display(cards.injected(fault, failed))
        display(self._hints(item))

    def explain(self, text: str = "", covered: Sequence[int] = ()) -> None:
        """Keep the learner's explanation, then show what a strong answer contains, to mark one's own."""
        question, rubric = self.contract.explain.question, self.contract.explain.rubric
        text = _text("an explanation", text, 'stage.explain("""…""")').strip()
        if not text:
            display(
                Panel("notyet", question, "write first", next="Write between the quotes, then run the cell.")
            )
            return
        before = self.keeping.progress()
        marked = _points(covered, len(rubric)) or (before.covered if before.explanation == text else ())

        def mark(numbers: tuple[int, ...]) -> None:
            self.keeping.record(LearningKind.EXPLAINED, text=text, covered=list(numbers))
            points = [
                f"- [{'x' if n in numbers else ' '}] {point}" for n, point in enumerate(rubric, start=1)
            ]
            self.keeping.text("explanation.md", "\n\n".join([question, text, "\n".join(points)]))

        mark(marked)
        title = Panel(
            "you", "A strong answer contains", next="Tick what yours says. Nobody else marks it here."
        )
        display(checklist(title, rubric, marked, mark))
        self._say_what_was_not_kept()

    def mastery(self) -> None:
        """Read the evidence, write verification.json, and show what was shown and what is missing."""
        missing = self.keeping.missing()
        if self.progress.damaged:
            hint = f"Move {self.workspace.progress.name} away to begin a new one; your answers stay."
            display(Panel("broken", "Progress cannot be read", lines=[self.progress.problem], next=hint))
            return
        self.keeping.verification()
        kept = self.workspace.kept and not self.keeping.problem
        display(mastery.panel(self.contract, self.keeping.progress(), missing, kept))
        self._say_what_was_not_kept("verification.json could not be written")

    def _item(self, name: str) -> Item:
        items = judging.items(self.contract)
        for item in items:
            if item.id == name:
                return item
        what = f"exercise, fault or transfer of {self.contract.stem}"
        raise unknown(what, str(name), [item.id for item in items])

    def _opened(self, name: str) -> int:
        return self.keeping.progress().hints.get(name, 0)

    def _next(self) -> str:
        missing = self.keeping.missing()
        return f"Next: {missing[0]}." if missing else "Next: `stage.mastery()` writes your evidence."

    def _require_forge_unchanged(self) -> None:
        originals.require_unchanged(judging.targets(self.contract))

    def _say_what_was_not_kept(self, title: str = "This could not be kept") -> None:
        if problem := self.keeping.problem:
            following = "The notebook works on. When the cause is gone, run this cell again."
            display(Panel("changed", title, lines=[problem], next=following))


def _text(what: str, given: object, example: str) -> str:
    """The text that a call was given, or `CourseError` that says how to write the call."""
    if not isinstance(given, str):
        raise CourseError(f"{what} must be text", f"found {given!r}.", f"Write `{example}`.")
    try:
        given.encode()
    except UnicodeEncodeError as error:
        found = f"character {error.start + 1} is {given[error.start]!a}, half of a pair."
        raise CourseError(f"{what} must be text that can be saved", found, "Write it anew.") from None
    return given


def _points(covered: object, count: int) -> tuple[int, ...]:
    """The numbers of the rubric's points that a call was given."""
    if not isinstance(covered, list | tuple):
        hint = "Write their numbers: `covered=(1, 2)`, or `covered=(1,)` for one."
        raise CourseError("the points that are covered must be a list", f"found {covered!r}.", hint)
    for number in covered:
        if type(number) is not int or number not in range(1, count + 1):
            raise unknown("point of the rubric", str(number), [str(n) for n in range(1, count + 1)])
    return tuple(covered)
