"""Whether a learner could read a solution before being asked for it.

A line of a solution **tells** when it is longer than 12 characters without its indentation, does more than
open a call (`return RunState(`), and is not given anyway: it does not stand

* in the learner edition of its own cell (`return state` below the gap, or the fault's correct lines),
* in the real source of the target outside of all `solution_lines`, which `stage.source` shows,
* for a repair: in an earlier repair cell, which shows the rest of the same function.

No telling line of an exercise, a repair or an explanation may stand in the sources or outputs of the learner
edition up to and including its own cell. A transfer uses what the stage has shown, so some of its lines have
been seen; there only all of them in one earlier cell are a leak.
"""

from __future__ import annotations

import functools
import html
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import nbformat

from ..course.checking.substitute import resolve
from ..course.contract import StageContract, load_fault
from ..course.source import fold
from . import markers
from .cells import Answer, Cell, Source
from .editions import text
from .execute import texts

SHORT = 12
"""A line of at most so many characters tells nothing."""

_OPENS_A_CALL = re.compile(r"[\w. =]*[(\[{]")
_TAG = re.compile(r"<[^>]*>")


def leaks(
    source: Source, notebook: nbformat.NotebookNode, contract: StageContract | None
) -> Iterator[tuple[Cell, str]]:
    """Every telling line that stands too early, with the solved cell it belongs to.

    `notebook` is the learner edition of `source`, with or without outputs.
    """
    seen: list[str] = []
    repairs: list[str] = []
    for cell, shown in zip(source.cells, notebook.cells, strict=True):
        seen.append(_squeeze("\n".join(_readable(shown))))
        answer = cell.answer()
        telling = _telling(cell, answer, contract, repairs)
        if answer is not None and answer.kind == "transfer":
            if telling and any(all(line in early for line in telling) for early in seen):
                yield cell, "\n".join(telling)
        else:
            yield from ((cell, line) for line in telling if any(line in early for early in seen))
        if answer is not None and answer.kind == "repair":
            repairs += _lines(shown.source)


def _telling(
    cell: Cell, answer: Answer | None, contract: StageContract | None, repairs: list[str]
) -> list[str]:
    solution = [line for region in markers.regions(cell) for line in region.solution]
    given = {*_lines(text(cell, "learner")), *_shown(answer, contract)}
    if answer is not None and answer.kind == "repair":
        given |= set(repairs)
    return [line for line in _lines("\n".join(solution)) if _says_something(line) and line not in given]


def _says_something(line: str) -> bool:
    return len(line) > SHORT and not _OPENS_A_CALL.fullmatch(line)


def _shown(answer: Answer | None, contract: StageContract | None) -> list[str]:
    """What `stage.source` shows of the answer's target while no exercise is passed."""
    if answer is None or answer.kind == "transfer" or contract is None:
        return []
    item = contract.exercise if answer.kind == "exercise" else functools.partial(load_fault, contract.stem)
    target = item(answer.id).target
    folded = [line for other in contract.exercises if other.target == target for line in other.solution_lines]
    return _lines(fold(textwrap.dedent(inspect.getsource(resolve(target))), folded))


def _readable(cell: Any) -> Iterator[str]:
    yield cell.source
    for output in cell.get("outputs", []):
        for stored in texts(output):
            yield stored
            yield html.unescape(_TAG.sub("", stored))


def _lines(block: str) -> list[str]:
    return [_squeeze(line) for line in block.splitlines() if line.strip()]


def _squeeze(line: str) -> str:
    return " ".join(line.split())
