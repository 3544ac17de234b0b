"""What a child process does: `python -m forge.authoring TASK STEM FILE`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from ..errors import ForgeModel
from .claims import prove_stage
from .mutants import mutate_here

TASKS: dict[str, Callable[[str], ForgeModel]] = {"prove": prove_stage, "mutate": mutate_here}


def main(task: str, stem: str, file: str) -> None:
    """Do the task for the stage and write its result as JSON."""
    Path(file).write_text(TASKS[task](stem).model_dump_json(), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
