"""A source as a notebook that has not run yet: the learner edition or the solved edition."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

from .. import resources
from ..course.evidence import COURSE_VERSION
from ..course.reading import text_of
from . import markers
from .cells import Cell, Source, place

Edition = Literal["learner", "solved"]
EDITIONS: tuple[Edition, ...] = ("learner", "solved")

_KEPT = ("tags", "jp-MarkdownHeadingCollapsed", "slideshow")
_NEW: dict[str, Callable[..., Any]] = {
    "code": new_code_cell,
    "markdown": new_markdown_cell,
    "raw": new_raw_cell,
}


def convert(source: Source, edition: Edition) -> nbformat.NotebookNode:
    """The notebook of that edition, without outputs.

    Ids are the cells' positions and the metadata holds nothing but the kernelspec, the language's name and
    where the notebook comes from, so that one source gives one notebook, byte for byte.
    """
    cells = [
        _NEW[cell.kind](
            text(cell, edition),
            id=f"{source.stem.replace('_', '-')}-{number:03d}",
            metadata={key: cell.metadata[key] for key in _KEPT if key in cell.metadata},
        )
        for number, cell in enumerate(source.cells, start=1)
    ]
    notebook: nbformat.NotebookNode = new_notebook(cells=cells, metadata=_metadata(source))
    return notebook


def text(cell: Cell, edition: Edition) -> str:
    """The text of one cell in that edition."""
    if edition == "solved":
        return markers.solved(cell)
    answer = cell.answer()
    if answer is None or answer.kind != "repair":
        return markers.learner(cell)
    path = resources.faults(cell.path.stem) / f"{answer.id}.py"
    if not path.is_file():
        raise cell.refused(f"there is no fault {answer.id!r}", f"Write {place(path)}.", answer.decorator_line)
    fault = markers.FaultText(text_of(path), place(path))
    return markers.learner(cell, fault)


def path_of(stem: str, edition: Edition) -> Path:
    """Where an edition of a notebook is written."""
    solved = resources.root() / "build" / "solved" / f"{stem}.ipynb"
    return solved if edition == "solved" else resources.notebook(stem)


def _metadata(source: Source) -> dict[str, Any]:
    return {
        "forge": {
            "stage": source.stem,
            "course_version": COURSE_VERSION,
            "source_sha256": source.sha256,
        },
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
