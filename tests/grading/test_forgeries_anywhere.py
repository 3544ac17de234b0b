"""Where stages keep files and databases, no trick earns anything either."""

from __future__ import annotations

import json
import os

import pytest

from forge.grading.batch import Graded, grade_folder

from ..tools import require_tool
from .forgeries.anywhere import STEMS, TRICKS, forged
from .test_forgeries import digest

pytestmark = pytest.mark.slow

SWEEP = bool(os.environ.get("FORGE_SWEEP"))
FEW = [
    ("frames_walked_for_a_reference", STEMS[2]),
    ("databases_of_others_read", STEMS[1]),
    ("editions_told_by_their_look", STEMS[3]),
]
CHOSEN = [(name, stem) for name in TRICKS for stem in STEMS] if SWEEP else FEW


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    require_tool("bwrap")
    folder = tmp_path_factory.mktemp("all")
    for name, stem in CHOSEN:
        place = folder / "submissions" / f"{name} {stem}"
        place.mkdir(parents=True)
        (place / "it.ipynb").write_text(json.dumps(forged(name, stem)), encoding="utf-8")
    (folder / "beside").mkdir()
    (folder / "beside" / "gradebook.csv").write_text("learner\n")
    before = digest(folder)
    found = grade_folder(folder / "submissions", tmp_path_factory.mktemp("out"), jobs=2)
    assert digest(folder) == before, "something outside was changed"
    return found


@pytest.mark.parametrize(("name", "stem"), CHOSEN)
def test_a_trick_earns_nothing_on_any_stage(graded: Graded, name: str, stem: str) -> None:
    [result] = [one for one in graded.results if one.learner == f"{name} {stem}"]
    assert result.reason == ""
    assert {item.id: item.points for item in result.items if item.points} == {}


def test_the_batch_comes_to_its_end(graded: Graded) -> None:
    assert len(graded.results) == len(CHOSEN)
