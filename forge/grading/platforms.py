"""The gradebook in the columns that a learning platform imports: a row a learner, a column a stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .errors import GradingRefused
from .gradebook import as_csv
from .layouts import Platform
from .results import Result
from .submissions import Submission

_CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_CANVAS_IDENTITIES = ("ID", "SIS User ID", "SIS Login ID")
_PARTICIPANT = "Identifier"
"""Moodle's column of its own number of a learner, as in the grading worksheet."""


@dataclass(frozen=True)
class Table:
    """Which table is wanted: the column that says who a learner is, and the headings of stages.

    Without an identity it is what the layout knows: the platform's number, else the learner's name as the
    SIS login of Canvas or the e-mail address of Moodle. A stage without a heading has its stem.
    """

    platform: Platform
    identity: str = ""
    headings: Mapping[str, str] = field(default_factory=dict)


def table(files: Sequence[Submission], results: Sequence[Result], wanted: Table) -> str:
    """The table as CSV. What was not handed in or could not be judged is empty, and not zero.

    Raises `GradingRefused` for an identity that the platform or the layout does not know.
    """
    learners = {one.learner: one.number for one in sorted(files, key=lambda one: one.learner) if one.learner}
    stages = {one.stage: one.out_of for one in sorted(results, key=lambda one: one.stage)}
    points = {(one.learner, one.stage): f"{one.points:g}" for one in results if one.judged}
    headings = [wanted.headings.get(stage, stage) for stage in stages]
    canvas = wanted.platform == Platform.CANVAS
    identity = wanted.identity or _usual(wanted.platform, numbered=any(learners.values()))
    if canvas and identity not in _CANVAS_IDENTITIES:
        words = f"{identity!r} is none of {', '.join(_CANVAS_IDENTITIES)}."
        raise GradingRefused("Canvas does not know this identity", words)
    rows = [[*(_CANVAS if canvas else [identity]), *headings]]
    if canvas:
        rows.append(["    Points Possible", *[""] * 4, *(f"{out_of:g}" for out_of in stages.values())])
    for learner, number in learners.items():
        name = learner.removesuffix(f" {number}") if number else learner
        who = _who(identity, name, number)
        head = [name, *(who if column == identity else "" for column in _CANVAS[1:])] if canvas else [who]
        rows.append([*head, *(points.get((learner, stage), "") for stage in stages)])
    return as_csv(rows)


def _usual(platform: Platform, *, numbered: bool) -> str:
    if platform == Platform.CANVAS:
        return "ID" if numbered else "SIS Login ID"
    return _PARTICIPANT if numbered else "Email address"


def _who(identity: str, name: str, number: str) -> str:
    if identity in {"ID", _PARTICIPANT}:
        if not number:
            raise GradingRefused(
                f"no {identity} is known",
                f"the name of {name}'s file does not hold it.",
                "Grade the platform's own zip with --layout, or name another column with --identity.",
            )
        return f"Participant {number}" if identity == _PARTICIPANT else number
    return name
