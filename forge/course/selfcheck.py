"""Read a verification.json on this machine, and say what it proves and what it does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..errors import ForgeError
from .contract import load_stage, stems
from .evidence import Evidence, Verification, read_verification
from .mastery import core, file_digest
from .panels import Panel
from .progress import LearningEvent, LearningKind, ProgressLog
from .workspace import Workspace

DOES_NOT_PROVE = (
    "It does not prove who wrote the answers, or when. The digest has no key: whoever edits the file can "
    "compute it again. A grader runs the answers anew."
)


def self_check(path: str | Path, workspace: Workspace) -> Panel:
    """Check the verification.json at `path`; what was found is remembered in `workspace`. Nothing is sent."""
    file = Path(path)
    try:
        verification = read_verification(file)
    except FileNotFoundError:
        return Panel(
            "notyet", "There is no such file", facts=[("path", file.name)], next="Finish a stage first."
        )
    except (ForgeError, OSError) as error:
        return Panel("broken", "This file cannot be read as a verification", facts=[("found", str(error))])
    broken = list(problems(verification, file.parent))
    known = verification.stage in stems()
    if known:
        log = ProgressLog(workspace)
        log.record(LearningEvent(kind=LearningKind.RESULTS_READ, stage=verification.stage))
        passed = not broken and verification.acceptance == "accepted"
        kind = LearningKind.SELF_CHECK_PASSED if passed else LearningKind.SELF_CHECK_FAILED
        log.record(LearningEvent(kind=kind, stage=verification.stage))
    facts = [
        ("experiment", verification.experiment_id),
        ("acceptance", verification.acceptance),
        (
            "tests",
            f"{sum(t.outcome == 'passed' for t in verification.tests)} of {len(verification.tests)} passed",
        ),
        ("answers", ", ".join(verification.shown) or "none"),
    ]
    if broken:
        return Panel(
            "broken", "The self-check failed", facts=[*facts, *(("broken", text) for text in broken)]
        )
    if verification.acceptance == "pending":
        missing = "; ".join(verification.missing).replace("`", "")
        return Panel(
            "notyet", "The file holds, and the stage is not finished", facts=[*facts, ("missing", missing)]
        )
    proves = "The file is whole, its tests passed, and each answer beside it is the one that was checked."
    return Panel("holds", "Local self-check passed", facts=facts, lines=[proves, DOES_NOT_PROVE])


def problems(verification: Verification, folder: Path) -> Iterator[str]:
    """What does not hold, one sentence each: digest, stage, tests, answers, trace."""
    if verification.computed() != verification.digest:
        yield "the digest does not fit the content: the file was changed after it was written"
    if verification.stage not in stems():
        yield f"the course has no stage {verification.stage!r}"
        return
    contract = load_stage(verification.stage)
    if contract.experiment_id != verification.experiment_id:
        yield f"the experiment of {contract.stem} is {contract.experiment_id}"
    if verification.acceptance == "accepted":
        tested = {outcome.item for outcome in verification.tests}
        for name, _ in core(contract):
            if name not in verification.shown or name not in tested:
                yield f"{name} belongs to the core path and is not shown"
    for outcome in verification.tests:
        if outcome.outcome != "passed":
            yield f"{outcome.test} for {outcome.item} is {outcome.outcome}"
    for answer in verification.answers:
        file = folder / answer.file
        if not file.is_file():
            yield f"{answer.file} is missing"
        elif file_digest(file) != answer.sha256:
            yield f"{answer.file} is not the answer that was checked"
    trace = Evidence(folder).trace_holds(verification.trace)
    if trace:
        yield trace
