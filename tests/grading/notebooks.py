"""Small notebooks for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_notebook, new_output

Cell = str | tuple[str, dict[str, Any]]


def write(path: Path, *cells: Cell) -> Path:
    """A notebook of code cells; a cell may bring keyword arguments of `new_code_cell`."""
    pairs = [cell if isinstance(cell, tuple) else (cell, {}) for cell in cells]
    made = [new_code_cell(text, **{"execution_count": 1, **more}) for text, more in pairs]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(cells=made, metadata=kernel), path)
    return path


def result(text: str) -> Any:
    """The stored output of a cell whose last line has that value."""
    return new_output("execute_result", data={"text/plain": text}, execution_count=1)


def stream(name: str, text: str) -> Any:
    """The stored output of a print."""
    return new_output("stream", name=name, text=text)
