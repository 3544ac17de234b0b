"""Show that the course holds what it promises, each stage in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

from .. import resources
from ..course.contract import in_full, stems
from ..errors import BuildFailed, ForgeModel
from . import child
from .ground import ENDS, Finding, StageProof

STAGE_SECONDS = 300


class Proof(ForgeModel):
    """What was shown about every stage asked for. It is one (`ok`) only when there is no finding."""

    stages: tuple[StageProof, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every promise that does not hold."""
        return tuple(finding for stage in self.stages for finding in stage.findings)

    @property
    def ok(self) -> bool:
        """Whether something was shown and nothing is broken."""
        return bool(self.stages) and not self.findings

    def rows(self) -> Iterator[tuple[str, str, int]]:
        """What was shown, as a table: stage, what, how many."""
        for stage in self.stages:
            yield from ((stage.stage, what, count) for what, count in stage.shown.items())


def prove(names: Iterable[str] | None = None) -> Proof:
    """Prove the stages of those stems, all when None; an unknown one raises `NotInCourse`.

    A stage whose process hangs or dies is a finding like any other.
    """
    known = stems()
    if not known:
        hint = "Run this in a checkout of the course, or name one in FORGE_COURSE."
        raise BuildFailed("no stage was found", f"{resources.stage_contracts()} holds none.", hint)
    chosen = tuple(in_full(name, known, "stage") for name in names) if names else known
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as threads:
        return Proof(stages=tuple(threads.map(_prove, chosen)))


def _prove(stem: str) -> StageProof:
    try:
        return child.run("prove", stem, StageProof, seconds=STAGE_SECONDS)
    except BuildFailed as error:
        broken = Finding(stage=stem, what=ENDS, where=stem, expected="it does", found=str(error))
        return StageProof(stage=stem, shown={}, findings=(broken,))
