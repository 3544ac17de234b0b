"""A whole class, every stage, in one run: right, wrong, empty, broken and forged notebooks side by side."""

from __future__ import annotations

import csv
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from forge.grading import probing
from forge.grading.batch import grade_folder

from ..tools import require_tool
from .answered import answered, at, known, wrongs
from .broken.kinds import KINDS, broken
from .forgeries.anywhere import TRICKS, everywhere, first
from .stage_one import edition

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("FORGE_SWEEP"), reason="many minutes: make sweep"),
]

LEARNERS = int(os.environ.get("FORGE_CLASS", "40"))
GENERAL = (
    "cells_shuffled",
    "every_answer_twice",
    "ids_missing",
    "all_text_deleted",
    "format_3",
    "metadata_lost",
)
HARMFUL = (
    "the_disk_patched",
    "objects_that_lie_to_everybody",
    "frames_walked_for_a_reference",
    "sqlite_patched",
)


def right(stem: str, rng: random.Random) -> bytes:
    return json.dumps(answered(stem, at(known("right_answers", stem), rng.randrange(4)))).encode()


def wrong(stem: str, rng: random.Random) -> bytes:
    return json.dumps(rng.choice(list(wrongs(stem).values()))[0]).encode()


def empty(stem: str, rng: random.Random) -> bytes:
    return edition("learner", stem).encode()


def mended(stem: str, rng: random.Random) -> bytes:
    assert set(GENERAL) <= set(KINDS)
    return broken(rng.choice(GENERAL), json.loads(right(stem, rng)))


def forged(stem: str, rng: random.Random) -> bytes:
    notebook: dict[str, Any] = json.loads(edition("learner", stem))
    everywhere(notebook, stem, "return None")
    if rng.random() < 0.25:
        first(notebook, "import os\nos._exit(1)")
    else:
        TRICKS[rng.choice(HARMFUL)](notebook, stem)
    return json.dumps(notebook).encode()


def no_notebook(stem: str, rng: random.Random) -> bytes:
    return rng.choice((b"", b"\xff\xfe", b"{}", b"[" * 5_000, b"not a notebook"))


MAKERS: dict[str, Callable[[str, random.Random], bytes]] = {
    "right": right,
    "mended": mended,
    "wrong": wrong,
    "empty": empty,
    "forged": forged,
    "no notebook": no_notebook,
}
MIX = ["right"] * 4 + ["mended"] * 3 + ["wrong"] * 3 + ["empty", "forged", "no notebook"]


def test_a_class_is_graded_in_one_run(tmp_path: Path) -> None:
    require_tool("bwrap")
    rng, made = random.Random(7), {}
    for number in range(LEARNERS):
        for stem in probing.stems():
            kind = rng.choice(MIX)
            path = tmp_path / "in" / f"learner {number:02}" / f"{stem}.ipynb"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(MAKERS[kind](stem, rng))
            made[f"learner {number:02}", stem] = kind
    start = perf_counter()
    graded = grade_folder(tmp_path / "in", tmp_path / "out", jobs=2)
    print(f"{len(made)} submissions in {perf_counter() - start:.0f} s")
    assert len(graded.files) == len(made)
    found = {(one.learner, one.stage): one for one in graded.results}
    assert found.keys() == {key for key, kind in made.items() if kind != "no notebook"}
    for key, result in found.items():
        full = result.points == result.out_of
        assert result.reason == "", key
        assert full is (made[key] in {"right", "mended"}), (key, made[key], result.points)
        assert made[key] in {"right", "mended", "wrong"} or result.points == 0, (key, made[key])
    rows = list(csv.DictReader((tmp_path / "out" / "gradebook.csv").open()))
    assert len(rows) >= LEARNERS
