"""Where a learner's work is kept."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ..errors import CourseError

MARKER = "forge-workspace.json"
"""The file that makes a folder a workspace."""


@dataclass(frozen=True)
class Workspace:
    """The folder of a learner's progress and evidence.

    `kept` is false for a temporary folder, which goes with the kernel; `problem` says why it is one although
    another was named. `writable` is false while grading.
    """

    folder: Path
    kept: bool
    writable: bool = True
    problem: str = ""

    @property
    def progress(self) -> Path:
        """The log of learning events."""
        return self.folder / "progress.jsonl"

    def evidence(self, folder: str) -> Path:
        """The evidence folder that a stage contract names."""
        return self.folder / folder


def grading() -> bool:
    """Whether this kernel judges a notebook: then nothing is written, and an empty answer is a failure."""
    return os.environ.get("FORGE_GRADING") == "1"


def find(start: Path | None = None) -> Workspace:
    """The nearest parent of `start` that is a workspace, else `$FORGE_WORKSPACE`, else a temporary folder."""
    if grading():
        return Workspace(_temporary(), kept=False, writable=False)
    try:
        here = (start or Path.cwd()).resolve()
    except FileNotFoundError:
        problem = "The folder that this notebook ran in was removed: restart the kernel in one that exists."
        return Workspace(_temporary(), kept=False, problem=problem)
    for folder in (here, *here.parents):
        if (folder / MARKER).is_file():
            return Workspace(folder, kept=True)
    named = os.environ.get("FORGE_WORKSPACE")
    if not named:
        return Workspace(_temporary(), kept=False)
    try:
        folder = Path(named).expanduser().resolve()
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        problem = f"FORGE_WORKSPACE names {named}, which is no folder to write in ({why}): name another."
        return Workspace(_temporary(), kept=False, problem=problem)
    return Workspace(folder, kept=True)


@functools.cache
def _temporary() -> Path:
    try:
        folder = Path(tempfile.mkdtemp(prefix="forge-"))
    except OSError as error:
        raise CourseError(
            "there is no folder to work in",
            f"no temporary folder can be made: {error}.",
            "Make room on the disk or set TMPDIR to a folder that can be written to, and restart the kernel.",
        ) from None
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
