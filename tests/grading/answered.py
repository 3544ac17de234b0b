"""Notebooks of any stage with answers that the course knows to be right or wrong."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from forge import resources
from forge.grading import probing
from forge.grading.expected import pristine
from forge.grading.merge import items_of

from .broken.kinds import code
from .stage_one import decorated, edition

KNOWN = resources.root() / "tests" / "course"
NOISE = (
    'import sys as _sys, warnings as _warnings\nprint("here", end="")\nprint("looking", file=_sys.stderr)\n'
    '_warnings.warn("slow")\n_sys.stdout.write("x" * 300 + "\\n")'
)


def known(which: str, stem: str) -> dict[str, list[Path]]:
    """By item: the files of `right_answers` or `wrong_answers`."""
    return {
        item.id: sorted((KNOWN / which / stem / item.id).glob("*.py")) for item in probing.load(stem).items
    }


def answered(stem: str, files: Mapping[str, Path], *, noisy: bool = False) -> dict[str, Any]:
    """The notebook as learners get it, its answer cells holding these files, and noise around them."""
    notebook: dict[str, Any] = json.loads(edition("learner", stem))
    asked = items_of(pristine(stem))
    for item, path in files.items():
        mark = f'@stage.{asked[item].kind}("{item}")'
        [cell] = [cell for cell in notebook["cells"] if mark in cell["source"]]
        text = path.read_text("utf-8")
        cell["source"] = decorated(item, talking(text, asked[item].function) if noisy else text, stem)
    return around(notebook) if noisy else notebook


def talking(text: str, name: str) -> str:
    """The same answer, which prints and warns wherever it is called."""
    node = [part for part in ast.parse(text).body if isinstance(part, ast.FunctionDef) and part.name == name][
        -1
    ]
    lines = text.splitlines()
    place, column = node.body[0].lineno - 1, node.body[0].col_offset
    lines[place:place] = [" " * column + line for line in NOISE.splitlines()]
    return "\n".join(lines)


def around(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with notes in its texts, and cells between its cells that talk, help and fail."""
    own = (NOISE, "def my_helper(value):\n    return value", "1 / 0", "stage.hint('nothing')", "%time x = 1")
    cells: list[dict[str, Any]] = []
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "markdown":
            cell["source"] = f"My note.\n\n{cell['source']}\n\nAnother one."
        cells += [cell, code(own[number % len(own)], id=f"own-{number}")]
    return {**notebook, "cells": cells}


def rights(stem: str) -> dict[str, dict[str, Any]]:
    """Notebooks that together hold every right answer of a stage, and one of them with noise."""
    files = known("right_answers", stem)
    made = {f"right {row}": answered(stem, at(files, row)) for row in range(max(map(len, files.values())))}
    return {"noise": answered(stem, at(files, 0), noisy=True), **made}


def wrongs(stem: str) -> dict[str, tuple[dict[str, Any], frozenset[str]]]:
    """Notebooks that together hold every wrong answer of a stage between right ones, and which are wrong.

    Of two items that follow one another one is right, so that whatever a wrong answer costs others is seen.
    """
    files, right = known("wrong_answers", stem), known("right_answers", stem)
    items = list(files)
    made = {}
    for row in range(max(map(len, files.values()))):
        for half in (0, 1):
            wrong = [item for item in items[half::2] if row < len(files[item])]
            if wrong:
                chosen = {**at(right, row), **{item: files[item][row] for item in wrong}}
                made[f"wrong {row}-{half}"] = (answered(stem, chosen), frozenset(wrong))
    return made


def at(files: Mapping[str, list[Path]], row: int) -> dict[str, Path]:
    return {item: paths[min(row, len(paths) - 1)] for item, paths in files.items()}
