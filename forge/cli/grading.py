"""What instructors call: grade."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from .. import resources
from ..grading.errors import GradingRefused
from ..grading.layouts import SHAPES, Layout, Platform
from .app import app, out

if TYPE_CHECKING:
    from ..grading.batch import Graded
    from ..grading.platforms import Table

_LAYOUTS = "; ".join(f"{layout}: {shape}" for layout, shape in SHAPES.items())


@app.command()
def grade(
    submissions: Annotated[Path, typer.Argument(help="A folder of notebooks, or a zip of one.")],
    to: Annotated[Path, typer.Option("--out", help="Where gradebook, results and feedback are written.")],
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="How many are graded side by side.")] = 1,
    cluster: Annotated[
        str,
        typer.Option("--cluster", help="A Dask scheduler, such as tcp://10.0.0.1:8786, in place of --jobs."),
    ] = "",
    sandbox: Annotated[
        bool, typer.Option("--sandbox/--no-sandbox", help="Without: any answer can do what you can.")
    ] = True,
    layout: Annotated[Layout, typer.Option("--layout", help=f"How they lie. {_LAYOUTS}.")] = Layout.ANY,
    course: Annotated[
        Path | None,
        typer.Option("--course", help="A checkout of the course to grade with; else $FORGE_COURSE."),
    ] = None,
    regrade: Annotated[
        bool, typer.Option("--regrade", help="Run nothing: judge again what was recorded.")
    ] = False,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="With --regrade: an answer to judge again.")
    ] = None,
    lms: Annotated[
        Platform | None, typer.Option("--lms", help="Write a table that this platform imports, too.")
    ] = None,
    identity: Annotated[
        str, typer.Option("--identity", help="With --lms: the column that says who a learner is.")
    ] = "",
    column: Annotated[
        list[str] | None,
        typer.Option("--column", help="With --lms: a stage's column, as 01='Stage 1 (4711)'."),
    ] = None,
    show_inputs: Annotated[
        bool, typer.Option("--show-inputs", help="Let the feedback show the hidden inputs.")
    ] = False,
) -> None:
    """Grade a folder of notebooks. Exit code 0: all were judged; 2: some could not be."""
    from rich.progress import Progress

    from ..grading.batch import grade_folder

    if course is not None:
        if not (course / "notebooks").is_dir():
            raise GradingRefused("no course", f"{course} has no folder of notebooks.", "Name a checkout.")
        os.environ[resources.COURSE] = str(course.resolve())
    wanted = _table(lms, identity, column or ())
    with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("grading", total=None)

        def tell(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)
            bar.refresh()

        graded = grade_folder(
            submissions,
            to,
            jobs=jobs,
            cluster=cluster,
            sandboxed=sandbox,
            layout=layout,
            regrade=regrade,
            only=only or (),
            lms=wanted,
            inputs_shown=show_inputs,
            tell=tell,
        )
    if not sandbox:
        out.print("Without a sandbox: the gradebook says so.", markup=False)
    _say(graded, to)
    raise typer.Exit(0 if graded.complete else 2)


def _table(lms: Platform | None, identity: str, columns: Sequence[str]) -> Table | None:
    """The table that the options ask for; `01=Stage 1` names the column of a stage."""
    from ..course.contract import in_full, stems
    from ..grading.platforms import Table

    if lms is None:
        return None
    pairs = [column.partition("=")[::2] for column in columns]
    headings = {in_full(stage.strip(), stems(), "stage"): heading for stage, heading in pairs}
    return Table(lms, identity, headings)


def _say(graded: Graded, to: Path) -> None:
    judged = sum(result.judged for result in graded.results)
    out.print(f"{judged} of {len(graded.results)} submissions judged: {to / 'gradebook.csv'}", markup=False)
    for one in graded.files:
        if one.reason:
            out.print(f"○ {one.path.relative_to(graded.folder)}: {one.reason}", markup=False)
    for result in graded.results:
        if not result.judged:
            words = result.reason or "some answers could not be judged"
            out.print(f"◐ {result.learner}, {result.stage}: {words}", markup=False)
