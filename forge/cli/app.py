"""The command itself, to which the other modules add what it does, and where it prints."""

from __future__ import annotations

import typer
from rich.console import Console

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Forge: a course workbook on how a long-running agent keeps its state.",
)
out = Console(highlight=False, soft_wrap=True)
