"""No notebook takes points that it did not earn, sees what it should not, stops the batch, or does harm."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from forge.grading.batch import Graded, grade_folder

from ..tools import require_tool
from .forgeries.tricks import PLACE, TRICKS, empty, forged
from .stage_one import solved

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SWEEP = bool(os.environ.get("FORGE_SWEEP"))
CHOSEN = sorted(TRICKS) if SWEEP else ["messages_forged", "the_reference_kept_for_items_already_judged"]
CHOSEN += [] if SWEEP else ["the_display_patched", "the_reference_asked", "another_edition_told_by_its_code"]


COURSE = [ROOT / name for name in ("forge", "solutions", "faults", "tests", "notebooks", "docs")]


def digest(*folders: Path) -> str:
    """Of every name and byte under the folders; what Python caches beside a module is its own business."""
    found = hashlib.sha256()
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        if "__pycache__" not in path.parts:
            found.update(f"{path}".encode())
            found.update(path.read_bytes() if path.is_file() else b"")
    return found.hexdigest()


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("submissions")
    for name, notebook in [("honest", solved()), ("empty", empty()), *((n, forged(n)) for n in CHOSEN)]:
        (folder / name).mkdir()
        (folder / name / "01.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def graded(handed_in: Path, tmp_path_factory: pytest.TempPathFactory) -> Graded:
    require_tool("bwrap")
    PLACE.unlink(missing_ok=True)
    before = digest(handed_in, *COURSE)
    found = grade_folder(handed_in, tmp_path_factory.mktemp("out"), jobs=2)
    assert digest(handed_in, *COURSE) == before, "submissions or the course were changed"
    assert not PLACE.exists(), "something was left outside"
    return found


def test_there_are_at_least_25_tricks() -> None:
    assert len(TRICKS) >= 25


@pytest.mark.parametrize("name", ["empty", *CHOSEN])
def test_a_forgery_earns_nothing(graded: Graded, name: str) -> None:
    [result] = [one for one in graded.results if one.learner == name]
    assert result.reason == ""
    assert {item.id: item.points for item in result.items if item.points} == {}


def test_beside_forgeries_an_honest_notebook_has_all_its_points(graded: Graded) -> None:
    [result] = [one for one in graded.results if one.learner == "honest"]
    assert result.points == result.out_of


def test_the_batch_comes_to_its_end(graded: Graded) -> None:
    assert len(graded.results) == len(CHOSEN) + 2
