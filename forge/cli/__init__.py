"""The forge command."""

from __future__ import annotations

import sys

from rich.console import Console

from ..errors import ForgeError
from . import grading, harness, learning, teaching, viewing, walkthrough
from .app import app

__all__ = ["app", "grading", "harness", "learning", "main", "teaching", "viewing", "walkthrough"]


def main() -> None:
    """Run the command. A mistake of the user's is one sentence and exit code 1, never a traceback."""
    try:
        app()
    except (ForgeError, OSError) as error:
        Console(stderr=True, highlight=False, soft_wrap=True).print(f"✗ {error}", markup=False)
        sys.exit(1)
