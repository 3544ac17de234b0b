"""What instructors call: grade."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from .app import app, out


@app.command()
def grade(
    submissions: Annotated[Path, typer.Argument(help="A folder of notebooks, or a zip of it.")],
    to: Annotated[Path, typer.Option("--out", help="Where gradebook, results and feedback are written.")],
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="How many are graded side by side.")] = 1,
    sandbox: Annotated[
        bool, typer.Option("--sandbox/--no-sandbox", help="Without: any answer can do what you can.")
    ] = True,
    regrade: Annotated[
        bool, typer.Option("--regrade", help="Run nothing: judge again what was recorded.")
    ] = False,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="With --regrade: an answer to judge again.")
    ] = None,
) -> None:
    """Grade a folder of notebooks. Exit code 0: all were judged; 2: some could not be."""
    from rich.progress import Progress

    from ..grading.batch import grade_folder

    with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("grading", total=None)

        def tell(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)
            bar.refresh()

        graded = grade_folder(
            submissions, to, jobs=jobs, sandboxed=sandbox, regrade=regrade, only=only or (), tell=tell
        )
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
