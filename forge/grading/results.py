"""The result of one submission, as `results.json` keeps it. Its JSON Schema stands in docs/."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from ..errors import ForgeModel

VERSION: Literal[1] = 1

Verdict = Literal["pass", "fail", "not attempted", "blocked", "could not judge"]
Texts = Annotated[tuple[str, ...], Field(strict=False)]


class CaseResult(ForgeModel):
    """One case in words: what it shows, and what was expected and seen, never the input itself."""

    says: str
    right: bool
    expected: str
    seen: str


class ItemResult(ForgeModel):
    """The verdict on one answer, and what is needed to judge it again without running it.

    `recorded` is what the answer gave, case by case; where it gave nothing, `how` it ended. `inputs` is the
    digest of what it was run on.
    """

    id: str
    kind: str
    title: str
    points: float
    out_of: float
    verdict: Verdict
    reason: str = ""
    cases: Annotated[tuple[CaseResult, ...], Field(strict=False)] = ()
    hint: str = ""
    answer: str = ""
    recorded: Texts = ()
    how: str = ""
    inputs: str = ""


class Result(ForgeModel):
    """One submission of one learner for one stage. `reason` says why it could not be judged, if so."""

    version: Literal[1] = VERSION
    learner: str
    stage: str
    title: str
    course_version: str
    notebook: str
    sha256: str
    sandbox: bool
    seed: str
    probes: str
    points: float
    out_of: float
    reason: str = ""
    mends: Texts = ()
    prediction: str = ""
    explanation: str = ""
    covered: Annotated[tuple[int, ...], Field(strict=False)] = ()
    items: Annotated[tuple[ItemResult, ...], Field(strict=False)] = ()

    @property
    def judged(self) -> bool:
        """Whether every answer was judged."""
        return not self.reason and all(item.verdict != "could not judge" for item in self.items)


def schema() -> dict[str, Any]:
    """The JSON Schema of `results.json`."""
    return Result.model_json_schema()
