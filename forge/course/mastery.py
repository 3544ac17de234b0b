"""What a stage's evidence shows, and what is still missing."""

from __future__ import annotations

from pathlib import Path

from ..chain import sha256
from .contract import StageContract, load_fault, stems
from .evidence import Evidence, TestOutcome, Verification, versions
from .panels import GLYPHS, Panel
from .progress import StageProgress


def core(contract: StageContract) -> list[tuple[str, str]]:
    """The answered items of the core path, in order: (id, what to do)."""
    exercises = [e for e in contract.exercises if e.path == "core"]
    faults = [load_fault(contract.stem, entry.id) for entry in contract.faults if entry.path == "core"]
    return [
        *((e.id, f"the exercise `{e.id}`") for e in exercises),
        *((fault.id, f"repair the fault `{fault.id}`") for fault in faults),
        (contract.transfer.id, f"the transfer `{contract.transfer.id}`"),
    ]


def missing(contract: StageContract, progress: StageProgress) -> list[str]:
    """What the core path still asks for, in its order."""
    left = [] if progress.prediction else ["commit to a prediction"]
    left += [what for name, what in core(contract) if name not in progress.passed]
    return left if progress.explanation else [*left, "write your explanation"]


def verification(
    contract: StageContract, progress: StageProgress, evidence: Evidence, left: list[str]
) -> Verification:
    """The verification that the evidence supports."""
    seen: dict[tuple[str, str], str] = {}
    for operation in evidence.operations():
        if operation["verdict"] == "passed":
            seen |= {(operation["item"], test): outcome for test, outcome in operation["tests"].items()}
    digests = {digest.item: digest for digest in evidence.digests()}
    held = sorted(name for name, digest in digests.items() if _accepted(progress, name, digest.sha256))
    return Verification(
        experiment_id=contract.experiment_id,
        stage=contract.stem,
        acceptance="pending" if left else "accepted",
        shown=tuple(held),
        missing=tuple(left),
        tests=tuple(
            TestOutcome(item=i, test=t, outcome=o) for (i, t), o in sorted(seen.items()) if i in held
        ),
        answers=tuple(digests[name] for name in held),
        trace=evidence.anchor(),
        versions=versions(),
    )


def _accepted(progress: StageProgress, name: str, digest: str) -> bool:
    return name in progress.passed and progress.passed[name].answer == digest


def panel(contract: StageContract, progress: StageProgress, left: list[str], kept: bool) -> Panel:
    """What was shown, what is missing, and what comes next."""
    steps = [
        ("prediction", "commit to a prediction"),
        *core(contract),
        ("explanation", "write your explanation"),
    ]
    points = [(GLYPHS["notyet" if what in left else "holds"], what) for _, what in steps]
    extra = [name for name in progress.passed if name not in {name for name, _ in core(contract)}]
    if extra:
        points.append((GLYPHS["holds"], f"more practice: {', '.join(sorted(extra))}"))
    written = f"`{contract.evidence.rstrip('/')}/verification.json`"
    if left:
        lines = [f"{written} says pending until these are done."] if kept else []
        return Panel(
            "notyet",
            f"{len(left)} of {len(steps)} still to do",
            points=points,
            lines=lines,
            next=f"Next: {left[0]}.",
        )
    count = len(contract.explain.rubric)
    ticked = f"you ticked {len(progress.covered)} of {count} of its points"
    if not progress.covered:
        ticked = f"kept; say with `covered=(1, 2)` which of the {count} points it holds"
    points.append((GLYPHS["you"], f"your explanation: {ticked}"))
    lines = ["Can you say each of these?", *contract.mastery, f"Forge can now: {contract.capability.after}"]
    lines.append(f"Written to {written}." if kept else "Nothing was written: this notebook has no workspace.")
    return Panel(
        "holds",
        f"Stage complete: {contract.title}",
        points=points,
        lines=lines,
        next=_following(contract.stem),
    )


def _following(stem: str) -> str:
    course = stems()
    place = course.index(stem) + 1
    return (
        f"Next stage: open `{course[place]}.ipynb`."
        if place < len(course)
        else "Next: `00_start_here.ipynb`."
    )


def file_digest(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    return sha256(path.read_bytes())
