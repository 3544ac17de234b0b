"""What a stage promises: its contract and its faults, read from files and checked when they are read."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, model_validator

from .. import resources
from ..errors import ContractInvalid, CourseError, ForgeModel, InvalidValue, NotInCourse
from .reading import defective, text_of, yaml_of

Text = Annotated[str, Field(min_length=1, pattern=r"\S")]
Texts = Annotated[tuple[Text, ...], Field(strict=False)]
SomeTexts = Annotated[tuple[Text, ...], Field(strict=False, min_length=1)]
Target = Annotated[str, Field(pattern=r"^[\w.]+:[\w.]+$")]

Item = TypeVar("Item")


class Minutes(ForgeModel):
    """How long a stage takes: the core path, and what stands under *More practice*."""

    core: int = Field(ge=1)
    more: int = Field(ge=0)


class Capability(ForgeModel):
    """What Forge can do before a stage and after it."""

    before: Text
    after: Text


class Option(ForgeModel):
    """One answer to a prediction, and why it is right or wrong."""

    text: Text
    why: Text


class Prediction(ForgeModel):
    """The question a learner commits to before reading on."""

    question: Text
    options: dict[str, Option] = Field(min_length=2)
    answer: Text

    @model_validator(mode="after")
    def _answer_is_an_option(self) -> Self:
        if self.answer not in self.options:
            expected = f"one of {', '.join(self.options)}"
            found = f"expected {expected}, found {self.answer!r}."
            raise InvalidValue("Prediction.answer was refused", found)
        return self


class Exercise(ForgeModel):
    """A function of forge that the learner writes again.

    `solution_lines` are the lines of the real function that the learner is asked for: `stage.source` folds
    them away until the exercise is passed.
    """

    id: Text
    title: Text
    target: Target
    minutes: int = Field(ge=1)
    path: Literal["core", "more"] = "core"
    needs: Texts = ()
    tests: SomeTexts
    hints: SomeTexts
    criteria: SomeTexts
    points: int = Field(ge=1)
    solution_lines: SomeTexts


class FaultEntry(ForgeModel):
    """Which path of the stage a fault lies on; those of the transfer are never shown as labs."""

    id: Text
    path: Literal["core", "more", "transfer"]


class Transfer(ForgeModel):
    """A second scene in which the learner uses what the stage built, and checks it.

    The answer passes when it is right on forge and raises under each fault of `must_notice`. A scene that
    takes a parameter is given a new, empty folder.
    """

    id: Text
    title: Text
    target: Target
    scene: Text
    changed: Text
    tests: SomeTexts
    must_notice: SomeTexts
    hints: SomeTexts
    criteria: SomeTexts
    points: int = Field(ge=1)
    minutes: int = Field(default=8, ge=1)


class Explain(ForgeModel):
    """The open question, and what a strong answer contains."""

    question: Text
    rubric: SomeTexts


class StageContract(ForgeModel):
    """Everything a stage promises, as its notebook, its checks and its graders read it."""

    stem: Text
    title: Text
    minutes: Minutes
    experiment_id: Text
    input: Text
    evidence: Text
    capability: Capability
    boundary: Text
    prediction: Prediction
    exercises: Annotated[tuple[Exercise, ...], Field(strict=False, min_length=1)]
    faults: Annotated[tuple[FaultEntry, ...], Field(strict=False, min_length=1)]
    transfer: Transfer
    explain: Explain
    starts_without: Texts = ()
    """Modules that the learner has yet to write, such as `forge.memory`; the start tree lacks them."""
    mastery: SomeTexts

    def exercise(self, name: str) -> Exercise:
        """The exercise of that id."""
        return _named(self.exercises, name, f"exercise of {self.stem}")

    def lab(self, name: str) -> FaultEntry:
        """The entry of a fault that a learner repairs."""
        labs = tuple(entry for entry in self.faults if entry.path != "transfer")
        return _named(labs, name, f"fault of {self.stem}")

    def the_transfer(self, name: str) -> Transfer:
        """The transfer, when that is its id."""
        return _named((self.transfer,), name, f"transfer of {self.stem}")

    def entry(self, name: str) -> FaultEntry:
        """Where the fault of that id lies."""
        hidden = {entry.id for entry in self.faults if entry.path == "transfer"}
        return _named(self.faults, name, f"fault of {self.stem}", hidden=hidden)


class Fault(ForgeModel):
    """A defect that happened to real users, as a replacement for one function of forge."""

    id: Text
    title: Text
    story: Text
    target: Target
    fails: SomeTexts
    error: Text
    mechanisms: SomeTexts
    command: Text
    diagnosis: SomeTexts
    repair_principle: Text
    solvable_because: Text
    hints: SomeTexts
    seen_in: Text
    definite: bool
    minutes: int = Field(default=5, ge=1)

    def function(self, stem: str) -> Callable[..., Any]:
        """The defective function, compiled from the file beside the contract."""
        path = resources.faults(stem) / f"{self.id}.py"
        return defective(path, self.target)

    def source(self, stem: str) -> str:
        """The text of the defective function's file."""
        return text_of(resources.faults(stem) / f"{self.id}.py")


@functools.cache
def load_stage(stem: str) -> StageContract:
    """The contract of the stage, read once. An unknown stem raises `NotInCourse`."""
    path = resources.stage_contracts() / f"{stem}.yaml"
    if not path.is_file():
        raise NotInCourse(
            f"no stage {stem!r}", f"the course has {', '.join(stems())}.", name=stem, known=stems()
        )
    return _load(StageContract, path, stem=stem)


@functools.cache
def load_fault(stem: str, name: str) -> Fault:
    """The contract of one fault of a stage, read once."""
    load_stage(stem).entry(name)
    return _load(Fault, resources.faults(stem) / f"{name}.yaml", id=name)


def in_full(name: str, known: Iterable[str], what: str) -> str:
    """The one known stem whose first words `name` is: `1` and `01_state` are `01_state_and_events`."""
    known = tuple(known)
    found = [stem for stem in known if f"{stem}_".startswith(f"{name.zfill(2)}_")]
    if len(found) != 1:
        raise unknown(what, name, found or known)
    return found[0]


def stems() -> tuple[str, ...]:
    """The stages and capstones of the course, in order."""
    return tuple(sorted(path.stem for path in resources.stage_contracts().glob("*.yaml")))


Model = TypeVar("Model", bound=ForgeModel)


def _load(model: type[Model], path: Path, **expected: str) -> Model:
    found = yaml_of(path)
    if isinstance(found, dict):
        found = {**expected, **found}
    try:
        loaded = model.model_validate(found)
    except InvalidValue as error:
        raise ContractInvalid(f"{path.name} is not a contract", str(error), path=str(path)) from None
    for field, value in expected.items():
        if getattr(loaded, field) != value:
            raise ContractInvalid(
                f"{path.name} names another {field}", f"{getattr(loaded, field)!r}.", path=str(path)
            )
    return loaded


def _named(items: tuple[Item, ...], name: object, what: str, hidden: Iterable[str] = ()) -> Item:
    known = [str(vars(item)["id"]) for item in items]
    if callable(name):
        hint = f"Write it with one of {', '.join(known)}, in brackets and quotes."
        raise CourseError("an id is missing", "the decorator stands here without one.", hint)
    if not isinstance(name, str) or name not in known:
        raise unknown(what, str(name), set(known) - set(hidden))
    return items[known.index(name)]


def unknown(what: str, name: str, known: Iterable[str]) -> NotInCourse:
    """The error for a name that the course does not have; it lists those that it has."""
    names = sorted(known)
    return NotInCourse(
        f"no {what} is called {name!r}", f"there is {', '.join(names)}.", name=name, known=names
    )
