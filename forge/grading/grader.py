"""Grade one submission from its file to its result. What goes wrong becomes the result's reason."""

from __future__ import annotations

import atexit
import functools
import hashlib
import platform
import shutil
import tempfile
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .. import resources
from ..course.contract import load_stage
from . import sandbox
from .errors import GradingRefused
from .expected import Trusted, pristine
from .judging import Record, judge
from .merge import Merged, merge
from .probing import Case, Item, Probes, case_seed, load
from .results import ItemResult, Result
from .run import Times, kernels, run
from .sheet import parse
from .stripped import build, sources
from .verdict import verdict
from .words import words_in

_TIMES = Times()
_one_at_a_time = threading.Lock()  # pytest runs once in a process at a time


@dataclass(frozen=True)
class Job:
    """One notebook to grade, with the forge that its stage is judged with.

    What is sent to another machine brings the notebook's bytes, and the digest of what it is to be judged by.
    """

    learner: str
    stage: str
    path: Path
    forge: Path
    secret: str
    sandbox: bool
    times: Times = _TIMES
    data: bytes | None = None
    probes: str = ""


def grade(job: Job) -> Result:
    """The result of a job. It is always a result: an error becomes its reason."""
    try:
        return _graded(job, _bytes(job))
    except Exception as error:
        return not_judged(job, f"{type(error).__name__}: {str(error)[:300]}")


def sent(job: Job) -> Job:
    """The job as it is sent to a worker that may see none of these files."""
    return replace(job, data=job.path.read_bytes(), probes=probes_digest(job.stage))


def grade_sent(job: Job) -> Result:
    """The result of a job that was sent here, graded with the course of this machine, one at a time."""
    with _one_at_a_time:
        if job.probes != probes_digest(job.stage):
            return not_judged(job, f"the course on {platform.node()} is another edition")
        try:
            if job.sandbox:
                sandbox.require()
            return grade(replace(job, forge=_own_forge(job.stage)))
        except GradingRefused as error:
            return not_judged(job, f"{error} ({platform.node()})")


def _bytes(job: Job) -> bytes:
    return job.path.read_bytes() if job.data is None else job.data


@functools.cache
def _own_forge(stem: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="forge-graded-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    folder.chmod(0o755)
    build_forge(stem, folder / stem)
    return folder / stem


def not_judged(job: Job, why: str) -> Result:
    """The result of a job that could not be done."""
    return _empty(job, b"").model_copy(update={"reason": f"could not judge: {why}"})


def build_forge(stem: str, folder: Path) -> None:
    """Write the forge that the answers of a stage are judged with."""
    probes = load(stem)
    build(folder, (*probes.targets(), *probes.given()))


def fresh(job: Job, result: Result) -> bool:
    """Whether a result that was kept is that of this job, so that it need not be done again."""
    wanted = _empty(job, job.path.read_bytes())
    same = ("course_version", "sandbox", "probes")
    return (
        not result.reason
        and _same(wanted, result)
        and all(getattr(result, name) == getattr(wanted, name) for name in same)
    )


def unchanged(job: Job, result: Result) -> bool:
    """Whether a result is of the same file of the same learner, run with the same secret."""
    return _same(_empty(job, job.path.read_bytes()), result)


def _same(wanted: Result, result: Result) -> bool:
    same = ("learner", "stage", "sha256", "seed")
    return all(getattr(result, name) == getattr(wanted, name) for name in same)


def judge_again(job: Job, kept: Result, only: Collection[str] = ()) -> tuple[Result, tuple[str, ...]]:
    """The result from what was recorded, and the items whose probes run answers on other inputs now.

    With `only` the other items stay as they were, and the result as one that is out of date.
    """
    before = {item.id: item for item in kept.items}
    records = {item.id: Record() for item in load(job.stage).items}
    records |= {item.id: Record(item.recorded, item.how, item.reason) for item in kept.items}
    found = _graded(job, job.path.read_bytes(), records)
    if only:
        items = tuple(item if item.id in only else before.get(item.id, item) for item in found.items)
        points = round(sum(item.points for item in items), 2)
        found = found.model_copy(update={"items": items, "points": points, "probes": kept.probes})
    changed = [item.id for item in found.items if item.id not in before or _moved(before[item.id], item)]
    return found.model_copy(update={"sandbox": kept.sandbox}), tuple(changed)


def _moved(before: ItemResult, item: ItemResult) -> bool:
    return bool(item.recorded) and item.inputs != before.inputs


def _graded(job: Job, data: bytes, again: Mapping[str, Record] | None = None) -> Result:
    sheet, probes = parse(data), load(job.stage)
    merged, words = merge(pristine(job.stage), sheet), words_in(sheet.cells)
    empty = _empty(job, data)
    cases = {item.id: probes.cases(item.id, empty.seed) for item in probes.items}
    trusted = _trusted(job.stage, job.forge)
    expected = {item: trusted.expected(item, cases[item]) for item in cases}
    stubs = {item: trusted.unearned(item, cases[item]) for item in cases}
    records = again or _records(job, probes, merged, cases, expected)
    items = tuple(
        verdict(
            item, merged.bound[item.id], cases[item.id], expected[item.id], stubs[item.id], records[item.id]
        ).model_copy(update={"inputs": probes.inputs(item.id, cases[item.id])})
        for item in _in_notebook_order(probes, merged)
    )
    return empty.model_copy(
        update={
            "points": round(sum(item.points for item in items), 2),
            "items": items,
            "mends": merged.mends,
            "prediction": words.prediction,
            "explanation": words.explanation,
            "covered": words.covered,
        }
    )


def _records(
    job: Job,
    probes: Probes,
    merged: Merged,
    cases: Mapping[str, Sequence[Case]],
    expected: Mapping[str, Sequence[str]],
) -> dict[str, Record]:
    if not any(bound.attempted for bound in merged.bound.values()):
        return {item: Record(how="missing") for item in cases}  # nothing to run
    with kernels(job.forge, sandbox=job.sandbox):
        return judge(probes, merged, cases, expected, lambda notebook: run(notebook, job.times))


def _in_notebook_order(probes: Probes, merged: Merged) -> list[Item]:
    place = {item: number for number, item in enumerate(merged.bound)}
    return sorted(probes.items, key=lambda item: place[item.id])


def _empty(job: Job, data: bytes) -> Result:
    stage = load_stage(job.stage)
    return Result(
        learner=job.learner,
        stage=job.stage,
        title=stage.title,
        course_version=pristine(job.stage).course_version,
        notebook=job.path.name,
        sha256=hashlib.sha256(data).hexdigest(),
        sandbox=job.sandbox,
        seed=case_seed(job.secret, job.learner, job.stage),
        probes=probes_digest(job.stage),
        points=0.0,
        out_of=float(sum(item.points for item in load(job.stage).items)),
    )


@functools.cache
def probes_digest(stem: str) -> str:
    """The SHA-256 of all that a stage is judged by: probes, contract, notebook, faults, and references."""
    files = [resources.root() / "solutions" / "probes" / f"{stem}.py", resources.notebook(stem)]
    files += [resources.stage_contracts() / f"{stem}.yaml", resources.source(stem)]
    files += [*sorted(resources.faults(stem).iterdir()), *sources()]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()


@functools.cache
def _trusted(stem: str, forge: Path) -> Trusted:
    return Trusted(load(stem), forge)
