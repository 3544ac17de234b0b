"""The demonstration of the whole harness."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .app import app, out


@app.command()
def walkthrough(
    workspace: Annotated[
        Path, typer.Option("--workspace", help="Where its sessions and memories are kept.", file_okay=False)
    ] = Path("my_forge/walkthrough"),
) -> None:
    """Show the agent harness at work: a loop, a fact through memory and restart, a retry. Offline."""
    from ..harness.walkthrough import walkthrough as walk

    for line in walk(workspace.expanduser().resolve()):
        out.print(line, markup=False)
