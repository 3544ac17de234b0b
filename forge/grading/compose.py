"""The notebook that is run: the merged cells, then the probes by target, each target's reference last.

A probe cell's stored output is what the reference gave; nbval compares it with what the answer gives. The
file stays with the grader, and the kernel is sent one cell's text at a time.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from .answers import parsed
from .inside.judged import MIME
from .merge import Merged, Part
from .probing import Case, Probes
from .stripped import reference

Notebook = dict[str, Any]

_JUDGED = '__import__("forge.grading.inside.judged", fromlist=["judged"])'  # no name that a cell may bind


def probe_name(item: str) -> str:
    """The name of the cell that runs an item's cases."""
    return f"probe {item}"


def compose(
    probes: Probes,
    merged: Merged,
    cases: Mapping[str, Sequence[Case]],
    expected: Mapping[str, Sequence[str]],
    *,
    left_out: Collection[str] = (),
    done: Collection[str] = (),
) -> Notebook:
    """The notebook, as JSON, without the cells named in `left_out` and without the items that are `done`."""
    found = _cells(probes, merged, cases, expected, left_out, done)
    cells = [_cell(number, *one) for number, one in enumerate(found)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": cells}


def _cells(
    probes: Probes,
    merged: Merged,
    cases: Mapping[str, Sequence[Case]],
    expected: Mapping[str, Sequence[str]],
    left_out: Collection[str],
    done: Collection[str],
) -> Iterator[tuple[str, str, Any]]:
    last = {item.target: item.id for item in probes.items}
    given = [
        target
        for target in probes.targets()
        if all(item.id in done for item in probes.items if item.target == target)
    ]
    given += probes.given()
    yield "the start", f"{_JUDGED}.prepare({probes.kernel!r})", None
    if given:
        yield "references", _providing(given), None
    for part in merged.parts:
        if part.name not in left_out and _binds(part):
            yield part.name, part.text, None
    for item in probes.items:
        if item.id not in done and probe_name(item.id) not in left_out:
            inputs = json.dumps([case.given for case in cases[item.id]])
            text = f"{_JUDGED}.judge({item.id!r}, {item.target!r}, {inputs!r})"
            yield probe_name(item.id), text, {"item": item.id, "values": list(expected[item.id])}
        if last[item.target] == item.id and item.target in probes.targets() and item.target not in given:
            yield f"reference {item.target}", _providing([item.target]), None


def _providing(targets: Sequence[str]) -> str:
    return f"{_JUDGED}.provide({ {target: reference(target) for target in targets}!r})"


def _binds(part: Part) -> bool:
    """Whether a later cell can need this one: a cell of the course that only shows something is left out."""
    tree = parsed(part.text)
    return (
        part.origin != "pristine" or tree is None or not all(isinstance(node, ast.Expr) for node in tree.body)
    )


def _cell(number: int, name: str, text: str, output: Any) -> dict[str, Any]:
    shown = {"output_type": "display_data", "data": {MIME: output}, "metadata": {}}
    return {
        "cell_type": "code",
        "id": f"cell-{number}",
        "metadata": {"name": name},
        "source": text,
        "execution_count": 1 if output else None,
        "outputs": [shown] if output else [],
    }
