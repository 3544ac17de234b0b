"""What authors and instructors call: build, prove, grade."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .app import app, out

StagesArgument = Annotated[
    list[str] | None, typer.Argument(help="Stages, such as 01; all when none is named.")
]


@app.command()
def build(
    stages: StagesArgument = None,
    check: Annotated[
        bool, typer.Option("--check", help="Fail when a notebook is stale; write nothing.")
    ] = False,
    solved: Annotated[bool, typer.Option("--solved", help="Make only the solved edition.")] = False,
) -> None:
    """Make both editions of the notebooks from solutions/."""
    from ..authoring import build as make

    make(stages, check=check, solved=solved, tell=lambda line: out.print(line, markup=False))


@app.command()
def prove(stages: StagesArgument = None) -> None:
    """Show that the course holds what it promises."""
    from ..authoring import prove as show
    from ..authoring.ground import UNPROVED

    proof = show(stages)
    if proof.findings:
        broken = [finding for finding in proof.findings if finding.what not in UNPROVED]
        for finding in proof.findings:
            if finding not in broken:
                out.print(f"✗ {finding.stage}: {finding.found}", markup=False)
        table = Table("stage", "what", "where", "expected", "found")
        for finding in broken:
            cells = (finding.stage, finding.what, finding.where, finding.expected, finding.found)
            table.add_row(*(Text(cell) for cell in cells))
        if broken:
            out.print(table)
        raise typer.Exit(1)
    for stage, what, count in proof.rows():
        out.print(f"✓ {stage}  {count:>4}  {what}", markup=False)
    if not proof.ok:
        raise typer.Exit(1)


@app.command()
def grade(
    submissions: Annotated[Path, typer.Argument(help="<learner>/… or <learner>__<stem>.ipynb, in a folder.")],
    to: Annotated[Path, typer.Option("--out", help="Where gradebook, results and feedback are written.")],
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="How many are graded side by side.")] = 1,
    sandbox: Annotated[
        bool, typer.Option("--sandbox/--no-sandbox", help="Without: any answer can do what you can.")
    ] = True,
) -> None:
    """Grade a folder of notebooks. Exit code 0: all were judged; 2: some could not be."""
    from rich.progress import Progress

    from ..grading.batch import grade_folder

    with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("grading", total=None)

        def tell(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)
            bar.refresh()

        graded = grade_folder(submissions, to, jobs=jobs, sandboxed=sandbox, tell=tell)
    judged = sum(result.judged for result in graded.results)
    out.print(f"{judged} of {len(graded.results)} submissions judged: {to / 'gradebook.csv'}", markup=False)
    if not sandbox:
        out.print("Without a sandbox: the gradebook says so.", markup=False)
    for one in graded.files:
        if one.reason:
            out.print(f"○ {one.path.relative_to(submissions)}: {one.reason}", markup=False)
    for result in graded.results:
        if not result.judged:
            words = result.reason or "some answers could not be judged"
            out.print(f"◐ {result.learner}, {result.stage}: {words}", markup=False)
    raise typer.Exit(0 if graded.complete else 2)
