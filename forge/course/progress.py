"""A learner's progress: learning events in a chained log, folded into what each stage shows."""

from __future__ import annotations

import functools
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from ..errors import AnchorMismatch, DamagedRecord, ForgeModel, LogError, NotCanonicalLine, TornTail
from ..log import ChainLog, Record
from .checking.substitute import idle
from .workspace import MARKER, Workspace


class LearningKind(StrEnum):
    """What a learner can do that is remembered."""

    STAGE_OPENED = "stage_opened"
    LAB_UNPACKED = "lab_unpacked"
    PREDICTION_MADE = "prediction_made"
    HINT_OPENED = "hint_opened"
    FAULT_INJECTED = "fault_injected"
    ITEM_PASSED = "item_passed"
    EXPLAINED = "explained"
    VERIFICATION_WRITTEN = "verification_written"
    RESULTS_READ = "results_read"
    SELF_CHECK_PASSED = "self_check_passed"
    SELF_CHECK_FAILED = "self_check_failed"


class LearningEvent(ForgeModel):
    """One thing a learner did in one stage. `item` is an exercise, a fault or a transfer."""

    kind: Annotated[LearningKind, Field(strict=False)]
    stage: str = Field(min_length=1)
    item: str = ""
    data: dict[str, Any] = Field(default_factory=dict)


class SelfCheck(StrEnum):
    """How far a stage has come, as the local self-check counts it."""

    NOT_STARTED = "not started"
    READING = "reading"
    LAB_DOWNLOADED = "lab downloaded"
    RESULTS_READ = "test results read"
    PASSED = "local self-check passed"


class Passed(ForgeModel):
    """An accepted answer: the digest of its source and of the exercise it answered."""

    answer: str
    content: str


class StageProgress(ForgeModel):
    """What is known of one stage after the learning events so far."""

    opened: bool = False
    lab: bool = False
    prediction: str | None = None
    hints: dict[str, int] = Field(default_factory=dict)
    injected: tuple[str, ...] = ()
    passed: dict[str, Passed] = Field(default_factory=dict)
    explanation: str = ""
    covered: tuple[int, ...] = ()
    verified: bool = False
    results_read: bool = False
    self_checked: bool = False

    @property
    def status(self) -> SelfCheck:
        """The furthest of the five states that the stage has reached."""
        if self.self_checked:
            return SelfCheck.PASSED
        if self.results_read:
            return SelfCheck.RESULTS_READ
        if not self.opened:
            return SelfCheck.NOT_STARTED
        return SelfCheck.LAB_DOWNLOADED if self.lab else SelfCheck.READING


Progress = dict[str, StageProgress]
"""Stage by stage; a stage that is missing was never touched."""


def apply_learning(progress: Progress, event: LearningEvent) -> Progress:
    """The progress after one more learning event."""
    stage = progress.get(event.stage, StageProgress())
    return {**progress, event.stage: stage.model_copy(update=_change(stage, event))}


def _change(stage: StageProgress, event: LearningEvent) -> dict[str, Any]:
    data = event.data
    match event.kind:
        case LearningKind.STAGE_OPENED:
            return {"opened": True, "lab": stage.lab or data.get("working_copy") is True}
        case LearningKind.LAB_UNPACKED:
            return {"lab": True}
        case LearningKind.PREDICTION_MADE:
            # The first choice is the commitment; looking at the answer does not change it.
            return {"prediction": stage.prediction or data["choice"]}
        case LearningKind.HINT_OPENED:
            opened = max(stage.hints.get(event.item, 0), data["number"])
            return {"hints": {**stage.hints, event.item: opened}}
        case LearningKind.FAULT_INJECTED:
            return {"injected": (*(name for name in stage.injected if name != event.item), event.item)}
        case LearningKind.ITEM_PASSED:
            return {
                "passed": {**stage.passed, event.item: Passed(answer=data["answer"], content=data["content"])}
            }
        case LearningKind.EXPLAINED:
            return {"explanation": data["text"], "covered": tuple(data["covered"])}
        case LearningKind.VERIFICATION_WRITTEN:
            return {"verified": True}
        case LearningKind.RESULTS_READ:
            return {"results_read": True}
        case LearningKind.SELF_CHECK_PASSED:
            return {"results_read": True, "self_checked": True}
        case LearningKind.SELF_CHECK_FAILED:
            return {"results_read": True, "self_checked": False}


def fold(records: list[Record], progress: Progress | None = None) -> Progress:
    """The progress that a log's records add up to, from `progress` on."""
    state = dict(progress or {})
    for record in records:
        state = apply_learning(state, LearningEvent.model_validate(record.event))
    return state


class ProgressLog:
    """The progress of one workspace, on disk.

    Several kernels may write at once; the log's own lock orders them. `problem` says why nothing can be
    recorded, or is empty: a damaged log (`damaged`) is still read up to the damage, and never written.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.problem = ""
        self.damaged = False
        self._log = _chain_log(workspace.progress)
        self._read = 0
        self._state: Progress = {}

    def state(self) -> Progress:
        """The progress as it stands on disk, with what other kernels wrote."""
        with idle():
            try:
                records = self._records()
            except OSError as error:
                self.problem, records = str(error), []
            except (DamagedRecord, NotCanonicalLine) as error:
                self.problem, self.damaged = str(error), True
                trusted = [item for item in self._log.scan() if isinstance(item, Record)]
                records = trusted[self._read :]
        self._state = fold(records, self._state)
        self._read += len(records)
        return self._state

    def _records(self) -> list[Record]:
        """What was written since the last time."""
        try:
            return self._log.read(start=self._read + 1)
        except AnchorMismatch:
            self._begin_again()
        except TornTail:
            self._log.repair()
        return self._log.read(start=self._read + 1)

    def stage(self, stem: str) -> StageProgress:
        """The progress of one stage."""
        return self.state().get(stem, StageProgress())

    def record(self, event: LearningEvent) -> None:
        """Write one learning event. Waits until no function of forge stands replaced."""
        if not self.workspace.writable:
            return
        apply_learning({}, event)  # what cannot be read back is refused before it is written
        with idle():
            try:
                self._append(event)
                self.problem = ""
            except (LogError, OSError) as error:
                self.problem = str(error)

    def _append(self, event: LearningEvent) -> None:
        line = event.model_dump(mode="json")
        try:
            self._log.append(line)
        except TornTail:
            self._log.repair()
            self._log.append(line)
        except AnchorMismatch:
            self._begin_again()
            self._log.append(line)

    def _begin_again(self) -> None:
        """Read the file anew: somebody removed or replaced it."""
        _chain_log.cache_clear()
        self._log, self._read, self._state = _chain_log(self.workspace.progress), 0, {}


def note_unpacked(stem: str, folder: Path) -> None:
    """Remember in the workspace at `folder`, if there is one, that the stage's lab was laid out as files."""
    if (folder / MARKER).is_file():
        log = ProgressLog(Workspace(folder, kept=True))
        log.record(LearningEvent(kind=LearningKind.LAB_UNPACKED, stage=stem))


@functools.cache
def _chain_log(path: Path) -> ChainLog:
    # One log object a file keeps appends at constant cost: it remembers what it has verified.
    return ChainLog(path)
