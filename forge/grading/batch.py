"""Grade a folder of submissions: side by side, resumable, and with a row for every file."""

from __future__ import annotations

import concurrent.futures
import ctypes
import multiprocessing
import re
import secrets
import signal
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from .. import resources
from ..course.contract import stems
from ..errors import ForgeError
from ..storage import atomic_replace
from . import probing, sandbox, stripped
from .class_page import class_page
from .expected import pristine
from .feedback import page
from .gradebook import files_table, gradebook
from .grader import Job, fresh, grade, not_judged
from .merge import items_of
from .results import Result
from .submissions import Submission, collect

_TRIES = 2
_PARENT_DEATH = 1  # PR_SET_PDEATHSIG of prctl(2)

Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Graded:
    """What came of a batch: every file, and the results of those that were judged."""

    files: tuple[Submission, ...]
    results: tuple[Result, ...]

    @property
    def complete(self) -> bool:
        """Whether every notebook was judged, but for those that a newer one replaces."""
        refused = [one for one in self.files if one.reason and one.path.suffix == ".ipynb"]
        replaced = [one for one in refused if one.reason.startswith("a newer one")]
        return len(refused) == len(replaced) and all(result.judged for result in self.results)


def grade_folder(
    submissions: Path, out: Path, *, jobs: int = 1, sandboxed: bool = True, tell: Tell = lambda *_: None
) -> Graded:
    """Grade every submission below a folder, and write results, gradebook and feedback into `out`.

    What `out` holds already of an unchanged submission is kept. `tell` is given how many are done, of how
    many. Raises `SandboxMissing` or `SandboxRefused` before anything is run.
    """
    if sandboxed:
        sandbox.require()
    known = {
        stem: frozenset(items_of(pristine(stem))) for stem in stems() if resources.notebook(stem).is_file()
    }
    files = [_with_probes(one) for one in collect(submissions, known)]
    out.mkdir(parents=True, exist_ok=True)
    secret = _secret(out)
    with tempfile.TemporaryDirectory(prefix="forge-graded-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        todo = [
            Job(one.learner, one.stage, one.path.resolve(), folder / one.stage, secret, sandboxed)
            for one in files
            if not one.reason
        ]
        for stem in sorted({job.stage for job in todo}):
            found = probing.load(stem)
            stripped.build(folder / stem, (*found.targets(), *found.given()))
        results = _all(todo, out, jobs, tell)
    graded = Graded(tuple(files), tuple(results))
    _write(graded, submissions, out)
    return graded


def _with_probes(one: Submission) -> Submission:
    if one.reason or one.stage in probing.stems():
        return one
    return replace(one, reason=f"{one.stage} has no probes: it cannot be graded yet")


def _all(todo: Sequence[Job], out: Path, jobs: int, tell: Tell) -> list[Result]:
    results: dict[int, Result] = {}
    for number, job in enumerate(todo):
        kept = _kept(_place(out, job))
        if kept is not None and fresh(job, kept):
            results[number] = kept
    tell(len(results), len(todo))
    for _ in range(_TRIES):
        left = [number for number in range(len(todo)) if number not in results]
        if not left:
            break
        context = multiprocessing.get_context("fork")
        with concurrent.futures.ProcessPoolExecutor(
            min(jobs, len(left)), context, initializer=_bound
        ) as pool:
            futures = {pool.submit(grade, todo[number]): number for number in left}
            for future in concurrent.futures.as_completed(futures):
                try:
                    result = future.result()
                except BrokenProcessPool:
                    continue  # a worker was killed: the next round takes what it left
                number = futures[future]
                results[number] = result
                _keep(_place(out, todo[number]), result)
                tell(len(results), len(todo))
    return [
        results.get(number) or not_judged(job, "its worker was killed twice")
        for number, job in enumerate(todo)
    ]


def _bound() -> None:
    """End this worker when the command ends, however it ends; its kernels end with it."""
    try:
        ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGKILL)
    except (OSError, AttributeError):
        return  # not Linux


def _secret(out: Path) -> str:
    """The secret of the batch, made once: the same cases come again when it is graded again."""
    path = out / ".secret"
    if not path.exists():
        atomic_replace(path, secrets.token_hex(32).encode())
        path.chmod(0o600)
    return path.read_text(encoding="utf-8")


def safe(name: str) -> str:
    """A learner's name as the name of a file: what is odd in it is replaced, and told apart by a digest."""
    plain = re.sub(r"[^\w@.+ -]", "_", name).lstrip(".")[:80]
    return (
        plain
        if plain == name
        else f"{plain}-{sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"
    )


def _place(out: Path, job: Job) -> Path:
    return out / "results" / safe(job.learner) / f"{job.stage}.json"


def _kept(path: Path) -> Result | None:
    try:
        return Result.model_validate_json(path.read_bytes())
    except (OSError, ForgeError, ValueError):
        return None


def _keep(path: Path, result: Result) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_replace(path, result.model_dump_json(indent=1).encode())


def _write(graded: Graded, submissions: Path, out: Path) -> None:
    stages = sorted({result.stage for result in graded.results})
    columns = {stem: tuple(items_of(pristine(stem))) for stem in stages}
    atomic_replace(out / "gradebook.csv", gradebook(graded.files, graded.results, columns).encode())
    atomic_replace(out / "files.csv", files_table(graded.files, submissions).encode())
    atomic_replace(out / "class.html", class_page(graded.results).encode())
    (out / "feedback").mkdir(exist_ok=True)
    for learner in sorted({one.learner for one in graded.files if one.learner}):
        mine = [result for result in graded.results if result.learner == learner]
        refused = [one for one in graded.files if one.learner == learner and one.reason]
        text = page(learner, mine, [(one.path.name, one.reason) for one in refused])
        atomic_replace(out / "feedback" / f"{safe(learner)}.html", text.encode())
