"""Every right answer gets its points and no wrong one does, through the whole of grading."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from forge.grading import probing
from forge.grading.batch import grade_folder
from forge.grading.results import Result

from ..tools import require_tool
from .answered import known, rights, wrongs
from .broken.kinds import KINDS, broken
from .stage_one import STEM, solved

pytestmark = pytest.mark.slow

SWEEP = bool(os.environ.get("FORGE_SWEEP"))
swept = pytest.mark.skipif(not SWEEP, reason="several minutes: make sweep")
STEMS = probing.stems()


def graded(folder: Path, notebooks: Mapping[str, bytes]) -> dict[str, Result]:
    require_tool("bwrap")
    for name, data in notebooks.items():
        (folder / "in" / name).mkdir(parents=True)
        (folder / "in" / name / "notebook.ipynb").write_bytes(data)
    found = {one.learner: one for one in grade_folder(folder / "in", folder / "out", jobs=2).results}
    assert found.keys() == notebooks.keys()
    return found


def text(notebook: Mapping[str, Any]) -> bytes:
    return json.dumps(notebook).encode()


def lost(result: Result, items: set[str] | None = None) -> list[str]:
    """The items that did not get all of their points, and why."""
    return [
        f"{item.id}: {item.verdict}, {item.reason} {[case.says for case in item.cases if not case.right]}"
        for item in result.items
        if item.points < item.out_of and (items is None or item.id in items)
    ] + ([result.reason] if result.reason else [])


@swept
def test_every_right_answer_keeps_its_points_however_its_notebook_was_broken(tmp_path: Path) -> None:
    found = graded(tmp_path, {name: broken(name, solved(STEM)) for name in KINDS})
    assert {name: lost(result) for name, result in found.items() if lost(result)} == {}


@pytest.mark.parametrize("stem", STEMS if SWEEP else STEMS[-1:])
def test_every_right_answer_gets_all_its_points_noise_or_not(stem: str, tmp_path: Path) -> None:
    made = {name: text(notebook) for name, notebook in rights(stem).items()}
    found = graded(tmp_path, made if SWEEP else {"noise": made["noise"]})
    assert {name: lost(result) for name, result in found.items() if lost(result)} == {}


@pytest.mark.parametrize("stem", STEMS if SWEEP else STEMS[-1:])
def test_a_wrong_answer_loses_points_of_its_own_and_of_no_other(stem: str, tmp_path: Path) -> None:
    made = wrongs(stem)
    made = made if SWEEP else dict(list(made.items())[:2])
    found = graded(tmp_path, {name: text(notebook) for name, (notebook, _) in made.items()})
    for name, (_, wrong) in made.items():
        full = {item.id for item in found[name].items if item.points == item.out_of}
        assert not full & wrong, f"{name}: these wrong answers were taken for right"
        assert lost(found[name], set(known("right_answers", stem)) - wrong) == [], name
