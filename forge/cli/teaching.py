"""What authors call: build, prove."""

from __future__ import annotations

from typing import Annotated

import typer
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
