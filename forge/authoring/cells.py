"""The source of a notebook, cell by cell, with the line each cell starts on.

A code cell that says `stage.repair("<fault>")` and nothing else stands for the right answer that the course
keeps in tests/course/right_answers/<stem>/<fault>/as_in_notebook.py: the function is written once.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jupytext

from .. import resources
from ..chain import sha256
from ..course.reading import parsed, text_of
from ..errors import BuildFailed

_CELL = re.compile(r"# ?%%(?:\s|$)")
_KEPT_ANSWER = re.compile(r'(stage\.repair\("(\w+)"\))')
KEPT_NAME = "as_in_notebook.py"
KINDS = frozenset({"exercise", "repair", "transfer"})
"""The decorators of a stage that take an answer."""


@dataclass(frozen=True)
class Answer:
    """What a learner writes in a cell: the kind of answer, its id, and the function that carries it."""

    kind: str
    id: str
    function: str
    decorator_line: int
    """Counted within the cell, from 0, as are the others."""
    def_line: int
    end_line: int


@dataclass(frozen=True)
class Cell:
    """One cell of a source. `line` is the line of the file on which its text starts, counted from 1."""

    path: Path
    line: int
    kind: str
    text: str
    metadata: dict[str, Any]

    def refused(self, words: str, hint: str, line: int = 0) -> BuildFailed:
        """The error for a line of this cell, counted within the cell from 0."""
        return refused(self.path, self.line + line, words, hint)

    def answer(self) -> Answer | None:
        """The answer that the cell asks for, if it does."""
        if self.kind != "code" or "@" not in self.text:
            return None
        found = [answer for node in self.parsed().body if (answer := _answer(node)) is not None]
        if len(found) > 1:
            hint = "Give each answer a cell of its own."
            raise self.refused("a cell asks for two answers", hint, found[1].decorator_line)
        return found[0] if found else None

    def parsed(self) -> ast.Module:
        """The cell as a syntax tree."""
        try:
            return ast.parse(self.text)
        except SyntaxError as error:
            raise self.refused(
                f"a cell is not Python: {error.msg}", "Mend the line.", (error.lineno or 1) - 1
            ) from None


@dataclass(frozen=True)
class Source:
    """A notebook before it is one."""

    path: Path
    sha256: str
    """Of the text with Unix line ends, so that a checkout on Windows has the same."""
    cells: tuple[Cell, ...]

    @property
    def stem(self) -> str:
        """The stage's stem."""
        return self.path.stem


def read_source(path: Path) -> Source:
    """The cells of a Jupytext py:percent file. A file that cannot be read as one raises `BuildFailed`."""
    if not path.is_file():
        raise BuildFailed("a notebook has no source", f"{place(path)} is missing.", path=str(path))
    text = text_of(path)
    starts = [number for number, line in enumerate(text.splitlines(), start=1) if _CELL.match(line)]
    found = jupytext.reads(text, fmt="py:percent").cells
    if len(starts) != len(found):
        raise refused(
            path,
            starts[0] if starts else 1,
            f"a source must hold one cell for each # %% line, and has {len(found)} for {len(starts)}",
            "Put nothing before the first # %%, and no line that starts with # %% inside a string.",
        )
    lines = text.splitlines()
    cells = tuple(
        Cell(path, _first_line(lines, start), cell.cell_type, cell.source.strip("\n"), dict(cell.metadata))
        for start, cell in zip(starts, found, strict=True)
    )
    written_out = tuple(_written_out(cell) for cell in cells)
    return Source(path, sha256("\0".join([text, *(cell.text for cell in written_out)]).encode()), written_out)


def _written_out(cell: Cell) -> Cell:
    """The cell with the kept answer that it stands for, between markers; any other cell as it is."""
    match = _KEPT_ANSWER.fullmatch(cell.text) if cell.kind == "code" else None
    if match is None:
        return cell
    call, fault = match.groups()
    file = resources.root() / "tests" / "course" / "right_answers" / cell.path.stem / fault / KEPT_NAME
    if not file.is_file():
        raise cell.refused(f"the answer of {call} is not kept", f"Write it in {place(file)}.")
    text = text_of(file)
    functions = [node for node in parsed(file).body if isinstance(node, ast.FunctionDef)]
    if len(functions) != 1:
        raise cell.refused(f"{place(file)} must define one function", f"It defines {len(functions)}.")
    lines, function = text.splitlines(), functions[0]
    above = "\n".join(line for line in lines[: function.lineno - 1] if not line.startswith("#")).strip()
    head = lines[function.lineno - 1 : function.body[0].lineno - 1]
    body = lines[function.body[0].lineno - 1 : function.end_lineno]
    solved = [f"@{call}", *head, "    ### BEGIN SOLUTION", *body, "    ### END SOLUTION"]
    return replace(cell, text="\n".join([*([above, "", ""] if above else []), *solved]))


def refused(path: Path, line: int, words: str, hint: str) -> BuildFailed:
    """The error for a line of a file."""
    return BuildFailed(words, f"{place(path)}, line {line}.", hint, path=str(path), line=line)


def place(path: Path) -> str:
    """The path as an author writes it: from the root of the course, with forward slashes."""
    root = resources.root()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def _first_line(lines: list[str], marker: int) -> int:
    line = marker
    while line < len(lines) and not lines[line].strip():
        line += 1
    return line + 1


def _answer(node: ast.stmt) -> Answer | None:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    for decorator in node.decorator_list:
        match decorator:
            case ast.Call(func=ast.Attribute(attr=kind), args=[ast.Constant(value=str(name))]) if (
                kind in KINDS
            ):
                end = node.end_lineno or node.lineno
                return Answer(kind, name, node.name, decorator.lineno - 1, node.lineno - 1, end - 1)
    return None
