"""The tables of a batch, as CSV: one row a learner, and one row a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from .results import Result
from .submissions import Submission

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def gradebook(
    files: Sequence[Submission], results: Sequence[Result], columns: Mapping[str, Sequence[str]]
) -> str:
    """One row a learner: points in all, then those of every item, and what there is to know about them.

    An item of a stage that was not handed in, or could not be judged, is empty.
    """
    items = [(stem, item) for stem, names in columns.items() for item in names]
    head = ["learner", "points", "out of", *(f"{stem}/{item}" for stem, item in items), "sandbox", "notes"]
    rows = [head]
    for learner in sorted({one.learner for one in files}):
        mine = {result.stage: result for result in results if result.learner == learner}
        points = {
            (result.stage, item.id): f"{item.points:g}"
            for result in mine.values()
            for item in result.items
            if item.verdict not in {"blocked", "could not judge"}
        }
        rows.append(
            [
                learner,
                f"{sum(result.points for result in mine.values()):g}",
                f"{sum(result.out_of for result in mine.values()):g}",
                *(points.get(key, "") for key in items),
                _sandbox(mine.values()),
                "; ".join(_notes(learner, files, mine)),
            ]
        )
    return as_csv(rows)


def files_table(files: Sequence[Submission], folder: Path) -> str:
    """One row a file: whose it is, which stage it answers, and why it is not judged, if so."""
    rows = [["file", "learner", "stage", "judged", "reason"]]
    for one in files:
        name = one.path.relative_to(folder).as_posix()
        rows.append([name, one.learner, one.stage, "no" if one.reason else "yes", one.reason])
    return as_csv(rows)


def _sandbox(results: Iterable[Result]) -> str:
    found = {result.sandbox for result in results}
    return "" if not found else "yes" if found == {True} else "NO"


def _notes(learner: str, files: Sequence[Submission], results: Mapping[str, Result]) -> list[str]:
    notes = [f"{one.path.name}: {one.reason}" for one in files if one.learner == learner and one.reason]
    for stem, result in results.items():
        notes += [f"{stem}: {words}" for words in (result.reason, *result.mends) if words]
        notes += [f"{item.id}: {item.verdict}" for item in result.items if item.verdict in {"blocked"}]
    return notes


def as_csv(rows: Sequence[Sequence[str]]) -> str:
    """Rows of text as CSV, of which no cell is a formula."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[_plain(cell) for cell in row] for row in rows])
    return text.getvalue()


def _plain(cell: str) -> str:
    """The text of a cell, so that no spreadsheet takes a learner's name for a formula."""
    cell = cell.encode("utf-8", "replace").decode()
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
