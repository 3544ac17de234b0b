"""What the claims about a stage look at: its contract, its tests, and the answers of both editions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from .. import resources
from ..course import judging
from ..course.checking.check import Report
from ..course.contract import Exercise, Fault, StageContract, Transfer, load_fault, load_stage
from ..errors import ForgeModel
from .answers import Collected, Function, collect
from .cells import Cell, Source, place, read_source

Judged = Exercise | Fault | Transfer


WELL_FORMED = "the stage is well formed"
ENDS = "the proof comes to an end"
UNPROVED = frozenset({WELL_FORMED, ENDS})
"""What is found when nothing else can be: a file that cannot be read, a process that died."""


class Finding(ForgeModel):
    """A promise that does not hold."""

    stage: str
    what: str
    where: str
    expected: str
    found: str


class StageProof(ForgeModel):
    """What was shown about a stage, counted, and what does not hold."""

    stage: str
    shown: dict[str, int]
    findings: tuple[Finding, ...]


@dataclass
class Ground:
    """Everything the claims about a stage look at."""

    contract: StageContract
    source: Source
    tests: tuple[str, ...]
    learner: Collected
    solved: Collected
    shown: Counter[str] = field(default_factory=Counter)
    noticed: set[str] = field(default_factory=set)
    """The contract tests that some fault or mutant fails."""

    @property
    def stem(self) -> str:
        """The stage's stem."""
        return self.contract.stem

    def faults(self, *, labs: bool = False) -> list[Fault]:
        """The stage's faults; with `labs` only those that a learner repairs."""
        entries = [entry for entry in self.contract.faults if not labs or entry.path != "transfer"]
        return [load_fault(self.stem, entry.id) for entry in entries]

    def judged(self) -> list[tuple[str, Judged]]:
        """Everything a learner answers, with its kind."""
        repairs: list[tuple[str, Judged]] = [("repair", fault) for fault in self.faults(labs=True)]
        exercises: list[tuple[str, Judged]] = [("exercise", item) for item in self.contract.exercises]
        return [*exercises, *repairs, ("transfer", self.contract.transfer)]

    def judge(self, item: Judged, answer: Function) -> Report:
        """The report a learner would get for that answer."""
        match item:
            case Exercise():
                return judging.check_exercise(self.contract, item, answer)
            case Fault():
                return judging.check_repair(self.contract, item, answer)
            case Transfer():
                return judging.check_transfer(self.contract, item, answer)

    def finding(self, what: str, where: str, expected: str, found: str) -> Finding:
        """A finding about this stage."""
        return Finding(stage=self.stem, what=what, where=where, expected=expected, found=found)

    def cell(self, kind: str, name: str) -> Cell | None:
        """The cell that asks for that answer."""
        for cell in self.source.cells:
            answer = cell.answer()
            if answer is not None and (answer.kind, answer.id) == (kind, name):
                return cell
        return None


def at(cell: Cell) -> str:
    """Where a cell stands in its source."""
    return f"{place(cell.path)}, line {cell.line}"


def survey(stem: str, folder: Path, shown: Counter[str]) -> Ground:
    """The ground of a stage. The cells that run are kept in `folder`; `shown` counts what is shown."""
    contract = load_stage(stem)
    source = read_source(resources.source(stem))
    learner, solved = collect(source, "learner", folder), collect(source, "solved", folder)
    return Ground(contract, source, judging.test_names(contract), learner, solved, shown)
