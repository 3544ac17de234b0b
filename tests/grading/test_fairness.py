"""Every right answer gets its points through the whole of grading, however its notebook was broken."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from forge import resources
from forge.grading.batch import grade_folder
from forge.grading.merge import items_of

from ..tools import require_tool
from .broken.kinds import KINDS, broken
from .stage_one import STEM, answering, decorated, pristine, solved

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("FORGE_SWEEP"), reason="several minutes: make sweep"),
]

ANSWERS = resources.root() / "tests" / "course"


def notebooks() -> dict[str, bytes]:
    """Every broken notebook, and one for every row of known right answers."""
    found = {f"broken {name}": broken(name, solved()) for name in KINDS}
    files = {
        item: sorted((ANSWERS / "right_answers" / STEM / item).glob("*.py")) for item in items_of(pristine())
    }
    for row in range(max(map(len, files.values()))):
        texts = {item: paths[min(row, len(paths) - 1)].read_text("utf-8") for item, paths in files.items()}
        cells = {item: decorated(item, text) for item, text in texts.items()}
        found[f"right {row}"] = json.dumps(answering(cells)).encode()
    return found


def test_every_right_answer_gets_all_its_points(tmp_path: Path) -> None:
    require_tool("bwrap")
    for name, data in notebooks().items():
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "01.ipynb").write_bytes(data)
    graded = grade_folder(tmp_path / "in", tmp_path / "out", jobs=2)
    lost = {
        one.learner: one.reason
        or [f"{item.id}: {item.verdict}, {item.reason}" for item in one.items if item.points < item.out_of]
        for one in graded.results
        if one.points < one.out_of
    }
    assert lost == {}
    assert len(graded.results) == len(notebooks())
