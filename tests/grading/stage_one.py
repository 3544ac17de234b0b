"""Stage 1 as tests of grading need it: pristine, solved, and with answers of one's choice."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

from forge import resources
from forge.authoring.cells import read_source
from forge.authoring.editions import convert
from forge.grading.expected import pristine as pristine_of
from forge.grading.merge import items_of
from forge.grading.sheet import Sheet, parse

STEM = "01_state_and_events"


@functools.cache
def pristine() -> Sheet:
    return parse(resources.notebook(STEM).read_bytes())


@functools.cache
def edition(edition: Any, stem: str = STEM) -> str:
    return json.dumps(convert(read_source(resources.source(stem)), edition))


def solved(stem: str = STEM) -> dict[str, Any]:
    """The notebook with right answers filled in, as JSON."""
    return json.loads(edition("solved", stem))


def learner() -> dict[str, Any]:
    """The notebook as learners get it, as JSON."""
    return json.loads(edition("learner"))


def solved_sheet() -> Sheet:
    return parse(json.dumps(solved()).encode())


def answering(answers: Mapping[str, str], base: dict[str, Any] | None = None) -> dict[str, Any]:
    """The learner's notebook, the cells of these items holding these texts."""
    notebook = base or learner()
    items = items_of(pristine())
    for item, text in answers.items():
        mark = f'@stage.{items[item].kind}("{item}")'
        [cell] = [cell for cell in notebook["cells"] if mark in cell["source"]]
        cell["source"] = text
    return notebook


def decorated(item: str, text: str, stem: str = STEM) -> str:
    """A function, after its imports and helpers, as the answer cell of an item."""
    answer = items_of(pristine_of(stem))[item]
    lines = text.splitlines()
    [place] = [n for n, line in enumerate(lines) if line.startswith(f"def {answer.function}(")][-1:]
    lines.insert(place, f'@stage.{answer.kind}("{item}")')
    return "\n".join(lines)
