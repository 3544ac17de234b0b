"""The two texts of a solved cell: what the solved edition shows, and what the learner gets.

    ### BEGIN SOLUTION        replaced in the learner edition by raise NotImplementedError("<exercise id>"),
    #| stub line              or by the lines that stand behind #| if there are any;
    solved lines              in a repair cell by the fault's function instead;
    ### END SOLUTION          inside a string by nothing, unless there are stub lines

Both editions lose the marker lines and the `#|` prefix. A marker that is not closed, stands inside another,
is misspelt or stands where no answer is asked for raises `BuildFailed` with its file and line.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from ..course import excerpt
from .cells import Answer, Cell

BEGIN = "### BEGIN SOLUTION"
END = "### END SOLUTION"
_LIKE_A_MARKER = re.compile(r"\s*(?:#+\s*(?:BEGIN|END)[\s_-]*SOL|##+.*\bSOLUTIONS?\b)", re.IGNORECASE)
_STUB = re.compile(r"(\s*)#\|(?: (.*)|)")
_LIKE_A_STUB = re.compile(r"\s*#\s*\|")


@dataclass(frozen=True)
class Region:
    """A solved part of a cell. `begin` and `end` are the marker lines, counted within the cell from 0."""

    begin: int
    end: int
    indent: str
    solution: tuple[str, ...]
    stub: tuple[str, ...]


@dataclass(frozen=True)
class FaultText:
    """The text of a fault's file, and the name that errors call it by."""

    text: str
    place: str


def regions(cell: Cell) -> tuple[Region, ...]:
    """The solved parts of a cell, checked."""
    found: list[Region] = []
    begin: int | None = None
    lines = cell.text.splitlines()
    for number, line in enumerate(lines):
        marker = line.strip()
        if marker == BEGIN:
            if begin is not None:
                raise cell.refused("a solution begins inside another", "End the first one above it.", number)
            begin = number
        elif marker == END:
            if begin is None:
                raise cell.refused("a solution ends that did not begin", f"Write {BEGIN} above it.", number)
            found.append(_region(lines, begin, number))
            begin = None
        elif cell.kind != "code":
            continue
        elif _LIKE_A_MARKER.match(line):
            raise cell.refused(f"a marker is misspelt: {marker}", f"Write {BEGIN} or {END}.", number)
        elif _LIKE_A_STUB.match(line) and (begin is None or not _STUB.fullmatch(line)):
            raise cell.refused(
                f"a stub line stands outside a solution or is misspelt: {marker}",
                "Write #| and a space before each line of the stub, between the markers.",
                number,
            )
    if begin is not None:
        raise cell.refused("a solution does not end", f"Write {END} below it.", begin)
    if found and cell.kind != "code":
        raise cell.refused("a solution stands in a text cell", "Move it to a code cell.", found[0].begin)
    return tuple(found)


def solved(cell: Cell) -> str:
    """The text of the cell in the solved edition."""
    return _compose(cell, {region: region.solution for region in regions(cell)})


def learner(cell: Cell, fault: FaultText | None = None) -> str:
    """The text of the cell in the learner edition. A repair cell needs the `fault` it starts from."""
    found = regions(cell)
    answer = cell.answer()
    if answer is not None and not any(_inside(answer, region) for region in found):
        raise cell.refused(
            f"the answer {answer.id!r} has no solution to take out",
            f"Put {BEGIN} and {END} around what the learner writes.",
            answer.def_line,
        )
    if answer is not None and answer.kind == "repair" and fault is not None:
        text = _defective(cell, answer, fault)
    else:
        text = _compose(cell, {region: _stub(cell, region, answer) for region in found})
    try:
        ast.parse(text) if found else None
    except SyntaxError as error:
        raise cell.refused(
            f"a cell without its solution is not Python: {error.msg}",
            "Move the markers, or write what remains as stub lines behind #|.",
            found[0].begin,
        ) from None
    return text


def _region(lines: list[str], begin: int, end: int) -> Region:
    inner = lines[begin + 1 : end]
    stubs = [match for line in inner if (match := _STUB.fullmatch(line))]
    return Region(
        begin=begin,
        end=end,
        indent=lines[begin][: len(lines[begin]) - len(lines[begin].lstrip())],
        solution=tuple(line for line in inner if not _STUB.fullmatch(line)),
        stub=tuple((match[1] + (match[2] or "")).rstrip() for match in stubs),
    )


def _compose(cell: Cell, instead: dict[Region, tuple[str, ...]]) -> str:
    lines = cell.text.splitlines()
    for region in sorted(instead, key=lambda region: region.begin, reverse=True):
        lines[region.begin : region.end + 1] = instead[region]
    return "\n".join(lines)


def _stub(cell: Cell, region: Region, answer: Answer | None) -> tuple[str, ...]:
    if region.stub:
        return region.stub
    if _in_string(cell, region):
        return ()
    if answer is None or not _inside(answer, region):
        raise cell.refused(
            "a solution stands outside an answer",
            "Put it into the function below the decorator, or write its stub behind #|.",
            region.begin,
        )
    return (f'{region.indent}raise NotImplementedError("{answer.id}")',)


def _defective(cell: Cell, answer: Answer, fault: FaultText) -> str:
    """The cell with the fault's function, and above the decorator the imports that it needs."""
    lines = cell.text.splitlines()
    function = excerpt.function(fault.text, answer.function, fault.place)
    before = [line for line in _outside(cell, 0, answer.decorator_line) if line.strip()]
    needed = excerpt.missing("\n".join(before), excerpt.imports(fault.text, function))
    decorators = lines[answer.decorator_line : answer.def_line]
    after = _outside(cell, answer.end_line + 1, len(lines))
    gap = ["", ""] if needed or before else []
    return "\n".join([*before, *needed, *gap, *decorators, *function.splitlines(), *after]).rstrip()


def _outside(cell: Cell, start: int, end: int) -> list[str]:
    hidden = {n for region in regions(cell) for n in range(region.begin, region.end + 1)}
    return [line for n, line in enumerate(cell.text.splitlines()) if start <= n < end and n not in hidden]


def _inside(answer: Answer, region: Region) -> bool:
    return answer.decorator_line < region.begin and region.begin <= answer.end_line + 1


def _in_string(cell: Cell, region: Region) -> bool:
    return any(
        node.lineno - 1 < region.begin and region.end < (node.end_lineno or 0)
        for node in ast.walk(cell.parsed())
        if isinstance(node, ast.Constant | ast.JoinedStr)
    )
