"""Collect what was handed in: every file gets a row, and one notebook of each learner and stage is judged."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import NotInCourse
from .answers import answers_in
from .errors import NotANotebook
from .layouts import SHAPES, Layout, owner
from .sheet import Sheet, read


@dataclass(frozen=True)
class Submission:
    """One file: whose it is, which stage it answers, and the notebook, or the reason why it is not judged."""

    learner: str
    path: Path
    stage: str = ""
    sheet: Sheet | None = None
    reason: str = ""
    number: str = ""
    """What a learning platform calls the learner, where its layout says so."""


def collect(
    folder: Path, stages: Mapping[str, frozenset[str]], layout: Layout = Layout.ANY
) -> list[Submission]:
    """Every file under a folder of submissions, in order.

    `stages` gives the items of each stage. Of several notebooks of one learner for one stage the newest is
    judged. A folder that is none raises `NotInCourse`.
    """
    if not folder.is_dir():
        raise NotInCourse("no folder of submissions", f"{folder} is none.", name=str(folder))
    found = [_submission(folder, path, stages, layout) for path in _files(folder)]
    newest: dict[tuple[str, str], Submission] = {}
    for one in found:
        key = (one.learner, one.stage)
        if not one.reason and (key not in newest or _age(one) > _age(newest[key])):
            newest[key] = one
    return [
        one
        if one.reason or newest[one.learner, one.stage] is one
        else replace(one, reason=f"a newer one is judged: {_name(folder, newest[one.learner, one.stage])}")
        for one in found
    ]


def stage_of(sheet: Sheet, stages: Mapping[str, frozenset[str]]) -> str:
    """The stage whose items a notebook answers; of several, or of none, the one that its metadata names."""
    given = {answer.id for cell in sheet.cells for answer in answers_in(cell.text)}
    ids = {cell.id for cell in sheet.cells}
    score = {
        stem: 2 * len(given & items)
        + (stem == sheet.stage)
        + any(one.startswith(stem.replace("_", "-") + "-") for one in ids)
        for stem, items in stages.items()
    }
    best = max(score, key=lambda stem: score[stem], default="")
    if not best or not score[best]:
        raise NotANotebook(
            "no stage of this course",
            "neither its metadata nor its cells name one.",
            "Hand in a stage's notebook.",
        )
    return best


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        for name in sorted([*files, *links]):
            if not name.startswith("."):
                yield Path(place) / name


def _submission(folder: Path, path: Path, stages: Mapping[str, frozenset[str]], layout: Layout) -> Submission:
    parts = [os.fsencode(part).decode("utf-8", "replace") for part in path.relative_to(folder).parts]
    learner, number = owner(layout, parts)
    empty = Submission(learner, path, number=number)
    try:
        if not learner:
            raise NotANotebook("no learner is named", f"its path must be like {SHAPES[layout]}.")
        sheet = read(path)
        return replace(empty, sheet=sheet, stage=stage_of(sheet, stages))
    except (NotANotebook, OSError) as error:
        return replace(empty, reason=str(error))


def _age(one: Submission) -> tuple[int, str]:
    return one.path.stat().st_mtime_ns, str(one.path)


def _name(folder: Path, one: Submission) -> str:
    return one.path.relative_to(folder).as_posix()
