"""The first notebook's panels: is this machine ready, where does each stage stand, does a result hold."""

from __future__ import annotations

import html
import sqlite3
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from ..storage import REAL_DISK, atomic_replace
from .contract import load_stage, stems
from .evidence import Evidence
from .mastery import missing
from .panels import GLYPHS, Mark, Panel, frame
from .progress import ProgressLog, SelfCheck
from .selfcheck import self_check
from .widgets import Control, pick
from .workspace import Workspace, find

_MARKS: dict[SelfCheck, Mark] = {
    SelfCheck.NOT_STARTED: "notyet",
    SelfCheck.READING: "you",
    SelfCheck.LAB_DOWNLOADED: "you",
    SelfCheck.RESULTS_READ: "changed",
    SelfCheck.PASSED: "holds",
}


@dataclass(frozen=True)
class Row:
    """One stage on the dashboard."""

    stem: str
    title: str
    state: SelfCheck
    minutes: int
    next: str


@dataclass(frozen=True)
class Dashboard:
    """Where each stage stands, as a table."""

    rows: tuple[Row, ...]
    problem: str = ""

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self.html()}

    def __repr__(self) -> str:
        width = max(len(row.stem) for row in self.rows)
        states = max(len(row.state) for row in self.rows)
        lines = [
            f"{GLYPHS[_MARKS[row.state]]} {row.stem:<{width}}  {row.state:<{states}}  "
            f"{row.minutes:>3} min  {row.next}"
            for row in self.rows
        ]
        return "\n".join([*lines, *([self.problem] if self.problem else [])])

    def html(self) -> str:
        """The table, with a link to each notebook."""
        cell = "padding:4px 16px 4px 0;border:0;text-align:left;background:none;vertical-align:top"
        head = "".join(
            f'<th style="{cell}">{name}</th>' for name in ("Stage", "State", "Minutes", "Next step")
        )
        rows = "".join(
            f'<tr style="background:none"><td style="{cell}">'
            f'<a href="{row.stem}.ipynb">{html.escape(row.title)}</a></td>'
            f'<td style="{cell};white-space:nowrap">{GLYPHS[_MARKS[row.state]]} {row.state}</td>'
            f'<td style="{cell};text-align:right">{row.minutes}</td>'
            f'<td style="{cell}">{html.escape(row.next)}</td></tr>'
            for row in self.rows
        )
        table = f'<table style="border-collapse:collapse;margin:0;border:0"><tr>{head}</tr>{rows}</table>'
        problem = f"<div>{html.escape(self.problem)}</div>" if self.problem else ""
        return frame(table + problem, "var(--jp-brand-color1, #1f6feb)")


def dashboard(workspace: Workspace | None = None) -> Dashboard:
    """Every stage's state, minutes and next step, as the workspace's progress has them."""
    place = workspace or find()
    log = ProgressLog(place)
    progress = log.state()
    rows = []
    for stem in stems():
        contract = load_stage(stem)
        stage = progress.get(stem)
        state = stage.status if stage else SelfCheck.NOT_STARTED
        left = missing(contract, stage) if stage else ["open the notebook"]
        if not left:
            verified = Evidence(place.evidence(contract.evidence)).verification.is_file()
            left = ["check the result below"] if verified else ["run the last cell"]
        step = "done" if state is SelfCheck.PASSED else left[0].replace("`", "")
        rows.append(Row(stem, contract.title, state, contract.minutes.core, step))
    return Dashboard(tuple(rows), log.problem)


def environment(workspace: Workspace | None = None) -> Panel:
    """Whether this machine has what the course needs."""
    place = workspace or find()
    checks: list[tuple[Mark, str]] = [
        ("holds" if sys.version_info >= (3, 11) else "broken", "Python 3.11 or newer"),
        *((_installed(name), name) for name in ("pydantic", "pytest", "ipywidgets", "anywidget")),
        ("holds" if sqlite3.sqlite_version_info >= (3, 35) else "broken", "SQLite 3.35 or newer"),
        (_writes(place.folder), "a file written, synced and renamed in the workspace"),
    ]
    kept: tuple[Mark, str] = (
        ("holds", "progress is kept") if place.kept else ("notyet", "progress is not kept here")
    )
    broken = [text for mark, text in checks if mark == "broken"]
    points = [(GLYPHS[mark], text) for mark, text in [*checks, kept]]
    if broken:
        return Panel(
            "broken",
            "This machine is not ready",
            points=points,
            next="Run `make lab` in the course's folder.",
        )
    advice = "" if place.kept else "`forge lab` opens a copy that keeps it."
    return Panel("holds", "This machine is ready", points=points, next=advice)


def _installed(name: str) -> Mark:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return "broken"
    return "holds"


def _writes(folder: Path) -> Mark:
    probe = folder / ".forge-probe"
    try:
        atomic_replace(probe, b"written")
        REAL_DISK.remove(probe)
    except OSError:
        return "broken"
    return "holds"


def results(workspace: Workspace | None = None) -> list[Path]:
    """The verification.json files of the workspace."""
    place = workspace or find()
    return sorted(place.folder.glob("evidence/**/verification.json"))


def check_verification(path: str | Path | None = None, workspace: Workspace | None = None) -> Panel:
    """The local self-check of a verification.json; without a path, of the newest in the workspace."""
    place = workspace or find()
    if path is None:
        found = results(place)
        if not found:
            return Panel("notyet", "No verification.json yet", next="The last cell of a stage writes one.")
        path = max(found, key=lambda file: file.stat().st_mtime_ns)
    return self_check(path, place)


def pick_verification(workspace: Workspace | None = None) -> Control:
    """A choice among the verification.json files of the workspace, and the self-check of the chosen one."""
    place = workspace or find()
    return pick(
        {str(path.relative_to(place.folder)): path for path in results(place)},
        "Check",
        Panel("notyet", "No verification.json yet", next="The last cell of a stage writes one."),
        lambda path: self_check(path, place),
    )
