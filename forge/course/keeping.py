"""What a stage keeps of a learner's work; a disk that refuses costs the keeping and nothing else."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from ..errors import LogError
from . import mastery
from .checking.answers import Answer, runs_as_written
from .checking.check import Report
from .checking.interrupts import uninterrupted
from .contract import StageContract
from .evidence import Evidence
from .judging import Item, items
from .progress import LearningEvent, LearningKind, ProgressLog, StageProgress
from .workspace import Workspace


class Keeping:
    """The progress and the evidence of one stage."""

    def __init__(self, contract: StageContract, workspace: Workspace) -> None:
        self.contract = contract
        self.workspace = workspace
        self.log = ProgressLog(workspace)
        self.evidence = Evidence(workspace.evidence(contract.evidence))
        self._problem = ""

    @property
    def problem(self) -> str:
        """Why the last thing could not be kept, or nothing."""
        return self._problem or self.log.problem

    def progress(self) -> StageProgress:
        """The progress of the stage as it stands on disk."""
        return self.log.stage(self.contract.stem)

    def held(self) -> StageProgress:
        """The progress with only those answers that are still there, unchanged, to the exercise as it is."""
        progress = self.progress()
        content = {item.id: item.content for item in items(self.contract)}
        kept = {digest.item: digest.sha256 for digest in self.evidence.digests()}
        held = {
            name: passed
            for name, passed in progress.passed.items()
            if kept.get(name) == passed.answer and content.get(name) == passed.content
        }
        return progress.model_copy(update={"passed": held})

    def missing(self) -> list[str]:
        """What the core path still asks for."""
        return mastery.missing(self.contract, self.held())

    def record(self, kind: LearningKind, item: str = "", **data: Any) -> None:
        """Remember what the learner did."""
        self.log.record(LearningEvent(kind=kind, stage=self.contract.stem, item=item, data=data))

    def text(self, name: str, text: str) -> None:
        """Keep a prediction or an explanation as a file."""
        self._keep(lambda: self.evidence.keep_text(name, text))

    def trace(self, item: Item, report: Report) -> None:
        """Keep that a check ran, and what came of it."""
        entry = {
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
        self._keep(lambda: self.evidence.trace(entry))

    def accept(self, item: Item, answer: Answer, source: str) -> None:
        """Keep an accepted answer, if its text is what was checked."""

        def keep() -> None:
            digest = mastery.file_digest(self.evidence.keep_answer(item.id, source))
            self.record(LearningKind.ITEM_PASSED, item.id, answer=digest, content=item.content)

        if runs_as_written(answer):
            self._keep(keep)
        else:
            self._problem = "Its text is not what runs: the file was edited after it was imported."

    def verification(self) -> None:
        """Write verification.json."""

        def keep() -> None:
            written = mastery.verification(self.contract, self.held(), self.evidence, self.missing())
            self.evidence.write(written)
            self.record(LearningKind.VERIFICATION_WRITTEN)

        self._keep(keep)

    def _keep(self, keep: Callable[[], object]) -> None:
        self._problem = ""
        if not self.workspace.writable:
            return
        try:
            with uninterrupted():  # it would leave a file locked
                keep()
        except (LogError, OSError) as error:
            self._problem = str(error)
