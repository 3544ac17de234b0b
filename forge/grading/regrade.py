"""Judge again what was recorded, against references that were corrected since; nothing is run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from . import kept, probing
from .errors import GradingRefused
from .grader import Job, judge_again, unchanged
from .results import Result


def judged_again(todo: Sequence[Job], out: Path, only: Collection[str] = ()) -> list[Result]:
    """The results of these submissions, from what `out` holds of them; they are kept when all are there.

    With `only` the items it names are judged again, and the others keep their verdict. Raises
    `GradingRefused`, and keeps nothing, where an answer was not recorded or ran on other inputs.
    """
    if unknown := set(only) - {item.id for job in todo for item in probing.load(job.stage).items}:
        raise GradingRefused(
            "no such answer", f"{', '.join(sorted(unknown))} stands in none of these stages."
        )
    found: list[Result] = []
    changed: dict[tuple[str, str], int] = {}
    steady: dict[str, None] = {}
    for job in todo:
        result, moved = judge_again(job, _recorded(job, out), only)
        found.append(result)
        for item in moved:
            changed[job.stage, item] = changed.get((job.stage, item), 0) + 1
        steady.update(dict.fromkeys(item.id for item in result.items if item.id not in moved))
    if changed:
        _refuse(changed, [item for item in steady if item not in {name for _, name in changed}])
    for result in found:
        kept.keep(out, result)
    return found


def _recorded(job: Job, out: Path) -> Result:
    result = kept.read(out, job.learner, job.stage)
    if result is None or result.reason or not unchanged(job, result):
        raise GradingRefused(
            "nothing is recorded of a submission",
            f"{job.learner}, {job.stage}: {out} has no result of this file with this secret.",
            "Grade it first, without --regrade.",
        )
    return result


def _refuse(changed: dict[tuple[str, str], int], steady: Sequence[str]) -> None:
    named = ", ".join(f"{item} of {stage} ({count})" for (stage, item), count in changed.items())
    rest = f" Or judge again only what ran on the same: --regrade {_options(steady)}" if steady else ""
    raise GradingRefused(
        "the inputs of a probe have changed",
        f"{named}: what was recorded answers other inputs, or was run with another forge.",
        f"Grade without --regrade to run these answers again.{rest}",
    )


def _options(items: Sequence[str]) -> str:
    return " ".join(f"--only {item}" for item in items)
