"""Grade a folder of submissions: side by side, resumable, and with a row for every file."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .. import resources
from ..course.contract import stems
from ..storage import atomic_replace
from . import executors, kept, probing, sandbox
from .archives import unpack
from .class_page import class_page
from .errors import GradingRefused
from .expected import pristine
from .feedback import page
from .gradebook import files_table, gradebook
from .grader import Job, build_forge, fresh, grade, grade_sent, not_judged, sent
from .layouts import Layout
from .merge import items_of
from .platforms import Table, table
from .regrade import judged_again
from .results import Result
from .scratch import scratch
from .submissions import Submission, collect

_TRIES = 2
_AHEAD = 64
"""How many submissions wait at the workers of a cluster."""

Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Graded:
    """What came of a batch: every file, and the results of those that were judged."""

    files: tuple[Submission, ...]
    results: tuple[Result, ...]
    folder: Path
    """The folder that the paths of the files begin with."""

    @property
    def complete(self) -> bool:
        """Whether every notebook was judged, but for those that a newer one replaces."""
        refused = [one for one in self.files if one.reason and one.path.suffix == ".ipynb"]
        replaced = [one for one in refused if one.reason.startswith("a newer one")]
        return len(refused) == len(replaced) and all(result.judged for result in self.results)


def grade_folder(
    submissions: Path,
    out: Path,
    *,
    jobs: int = 1,
    cluster: str = "",
    sandboxed: bool = True,
    layout: Layout = Layout.ANY,
    regrade: bool = False,
    only: Collection[str] = (),
    lms: Table | None = None,
    inputs_shown: bool = False,
    tell: Tell = lambda *_: None,
) -> Graded:
    """Grade every submission of a folder or zip, and write results, gradebook and feedback into `out`.

    What `out` holds already of an unchanged submission is kept. With `regrade` nothing is run: what was
    recorded is judged again, of the items in `only` where that names any. `lms` asks for a table that a
    learning platform imports; `inputs_shown` lets learners see the hidden inputs. `tell` is given how many
    are done, of how many. Raises `SandboxMissing`, `SandboxRefused` or `GradingRefused` before anything runs.
    """
    if sandboxed and not regrade and not cluster:
        sandbox.require()
    if not (resources.root() / "solutions" / "probes").is_dir():
        raise GradingRefused(
            "this course cannot be graded with",
            f"{resources.root()} has no solutions/probes.",
            "Name a checkout of the course: forge grade … --course DIR",
        )
    known = {
        stem: frozenset(items_of(pristine(stem))) for stem in stems() if resources.notebook(stem).is_file()
    }
    with _submitted(submissions, layout, known) as (folder, files):
        out.mkdir(parents=True, exist_ok=True)
        with _jobs(files, kept.secret(out), sandboxed) as todo:
            if regrade:
                results = judged_again(todo, out, only)
            elif cluster:
                results = _all(todo, out, _Cluster(cluster), tell)
            else:
                results = _all(todo, out, _Processes(jobs), tell)
        graded = Graded(tuple(files), tuple(results), folder)
        _write(graded, out, lms, inputs_shown=inputs_shown)
    return graded


@contextlib.contextmanager
def _submitted(
    submissions: Path, layout: Layout, known: Mapping[str, frozenset[str]]
) -> Iterator[tuple[Path, list[Submission]]]:
    """The folder of submissions, a zip's unpacked for as long as it is needed, and every file in it."""
    with contextlib.ExitStack() as stack:
        folder, refused = submissions, []
        if submissions.is_file():
            folder = stack.enter_context(scratch())
            refused = unpack(submissions, folder, layout)
        files = [_with_probes(one) for one in collect(folder, known, layout)]
        yield folder, [*files, *refused]


def _with_probes(one: Submission) -> Submission:
    if one.reason or one.stage in probing.stems():
        return one
    return replace(one, reason=f"{one.stage} has no probes: it cannot be graded yet")


@contextlib.contextmanager
def _jobs(files: Sequence[Submission], secret: str, sandboxed: bool) -> Iterator[list[Job]]:
    """What there is to grade, with the forge of every stage beside it."""
    with scratch() as folder:
        todo = [
            Job(one.learner, one.stage, one.path.resolve(), folder / one.stage, secret, sandboxed)
            for one in files
            if not one.reason
        ]
        for stem in sorted({job.stage for job in todo}):
            build_forge(stem, folder / stem)
        yield todo


@dataclass(frozen=True)
class _Processes:
    """Grading side by side on this machine."""

    jobs: int

    def results(self, todo: Sequence[Job]) -> Iterator[tuple[int, Result | Exception]]:
        with executors.processes(min(self.jobs, len(todo)), todo[0].forge.parent) as executor:
            yield from executors.spread(executor, grade, todo, ahead=2 * self.jobs)


@dataclass(frozen=True)
class _Cluster:
    """Grading on the workers of a Dask scheduler."""

    address: str

    def results(self, todo: Sequence[Job]) -> Iterator[tuple[int, Result | Exception]]:
        with executors.cluster(self.address) as executor:
            yield from executors.spread(executor, grade_sent, map(sent, todo), ahead=_AHEAD)


def _all(todo: Sequence[Job], out: Path, workers: _Processes | _Cluster, tell: Tell) -> list[Result]:
    results: dict[int, Result] = {}
    lost: dict[int, str] = {}
    for number, job in enumerate(todo):
        known = kept.read(out, job.learner, job.stage)
        if known is not None and fresh(job, known):
            results[number] = known
    tell(len(results), len(todo))
    for _ in range(_TRIES):
        left = [number for number in range(len(todo)) if number not in results]
        if not left:
            break
        for place, result in workers.results([todo[number] for number in left]):
            if isinstance(result, Exception):
                lost[left[place]] = f"no worker returned it ({type(result).__name__})"
                continue
            results[left[place]] = result
            kept.keep(out, result)
            tell(len(results), len(todo))
    why = "its worker was killed"
    return [results.get(n) or not_judged(job, lost.get(n, why)) for n, job in enumerate(todo)]


def _write(graded: Graded, out: Path, lms: Table | None, *, inputs_shown: bool) -> None:
    stages = sorted({result.stage for result in graded.results})
    columns = {stem: tuple(items_of(pristine(stem))) for stem in stages}
    atomic_replace(out / "gradebook.csv", gradebook(graded.files, graded.results, columns).encode())
    atomic_replace(out / "files.csv", files_table(graded.files, graded.folder).encode())
    if lms is not None:
        text = table(graded.files, graded.results, lms)
        atomic_replace(out / f"gradebook-{lms.platform}.csv", text.encode())
    atomic_replace(out / "class.html", class_page(graded.results).encode())
    (out / "feedback").mkdir(exist_ok=True)
    for learner in sorted({one.learner for one in graded.files if one.learner}):
        mine = [result for result in graded.results if result.learner == learner]
        refused = [one for one in graded.files if one.learner == learner and one.reason]
        inputs = _inputs(mine) if inputs_shown else None
        text = page(learner, mine, [(one.path.name, one.reason) for one in refused], inputs)
        atomic_replace(out / "feedback" / f"{kept.safe(learner)}.html", text.encode())


def _inputs(results: Sequence[Result]) -> dict[tuple[str, str], list[str]]:
    """What each answer was run on, as far as the probes still say the same."""
    found = {}
    for result in results:
        probes = probing.load(result.stage)
        for item in result.items:
            cases = probes.cases(item.id, result.seed)
            if probes.inputs(item.id, cases) == item.inputs:
                found[result.stage, item.id] = [json.dumps(case.given) for case in cases]
    return found
