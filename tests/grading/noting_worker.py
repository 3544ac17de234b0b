"""Loaded by a Dask worker: it notes in $FORGE_NOTES which process begins and ends which submission."""

from __future__ import annotations

import os
from pathlib import Path

from forge.grading import grader

NOTES = Path(os.environ["FORGE_NOTES"])


def noting(job: grader.Job) -> object:
    note("begins", job.learner)
    result = graded(job)
    note("ends", job.learner)
    return result


def note(what: str, learner: str) -> None:
    with NOTES.open("a", encoding="utf-8") as file:
        file.write(f"{what} {learner} {os.getpid()}\n")


if grader.grade.__name__ != "noting":  # Dask runs this file twice
    graded = grader.grade
    grader.grade = noting
