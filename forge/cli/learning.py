"""What a learner calls: the working copy, a pristine notebook, the lab as files, a night of an agent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .app import app, out

WorkspaceOption = Annotated[
    Path, typer.Option("--workspace", help="Where your notebooks and progress are kept.")
]


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def lab(
    context: typer.Context,
    workspace: WorkspaceOption = Path("my_forge"),
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
) -> None:
    """Open the course in JupyterLab, on a working copy of your own. Further options go to JupyterLab."""
    from ..course.lab import launch, open_workspace

    folder = workspace.expanduser().resolve()
    for line in open_workspace(folder):
        out.print(line, markup=False)
    out.print(f"Your work is kept in {folder}", markup=False)
    raise typer.Exit(launch(folder, [*([] if browser else ["--no-browser"]), *context.args]))


@app.command()
def reset(
    stage: Annotated[str, typer.Argument(help="A stage, such as 01 or 01_state_and_events.")],
    workspace: WorkspaceOption = Path("my_forge"),
) -> None:
    """Bring back the pristine notebook of a stage; yours is kept beside it."""
    from ..course.lab import reset as bring_back

    kept = bring_back(stage, workspace.expanduser().resolve())
    said = f"Yours is kept as {kept.name}." if kept else "You had not changed it."
    out.print(f"The notebook is pristine again. {said}", markup=False)
    out.print("If it is open in JupyterLab: File, Reload Notebook from Disk.", markup=False)


@app.command()
def unpack(
    stage: Annotated[str, typer.Argument(help="A stage, such as 01 or 01_state_and_events.")],
    to: Annotated[Path, typer.Option("--to", help="A new or empty folder.")],
    workspace: WorkspaceOption = Path("my_forge"),
) -> None:
    """Lay out the stage's lab as files: start, solution and faulty trees, and their tests."""
    from ..course.contract import in_full, stems
    from ..course.progress import note_unpacked
    from ..course.unpack import unpack as lay_out

    stem = in_full(stage, stems(), "stage")
    for line in lay_out(stem, to.expanduser().resolve()):
        out.print(line, markup=False)
    note_unpacked(stem, workspace.expanduser().resolve())


@app.command()
def night(
    windows: Annotated[int, typer.Option("--windows", min=1, help="How many windows.")] = 3,
    steps: Annotated[int, typer.Option("--steps", min=1, help="How many steps in each.")] = 3,
    work: Annotated[Path, typer.Option("--work", help="Where repositories and ledgers are left.")] = Path(
        "work"
    ),
    selftest: Annotated[bool, typer.Option("--selftest", help="List and run the self-checks only.")] = False,
) -> None:
    """Run an agent's night without its state layer and with it, and compare."""
    from ..longrun import commands

    if not selftest:
        for line in commands.night(work, windows, steps):
            out.print(line, markup=False)
        return
    holds = True
    for held, line in commands.selftest():
        out.print(line, markup=False)
        holds = held
    raise typer.Exit(0 if holds else 1)
