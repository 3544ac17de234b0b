"""Where a learner's work is kept."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

MARKER = "forge-workspace.json"
"""The file that makes a folder a workspace."""


@dataclass(frozen=True)
class Workspace:
    """The folder of a learner's progress and evidence.

    `kept` is false for a temporary folder, which goes with the kernel; `writable` is false while grading.
    """

    folder: Path
    kept: bool
    writable: bool = True

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
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / MARKER).is_file():
            return Workspace(folder, kept=True)
    named = os.environ.get("FORGE_WORKSPACE")
    if named:
        folder = Path(named).expanduser().resolve()
        folder.mkdir(parents=True, exist_ok=True)
        return Workspace(folder, kept=True)
    return Workspace(_temporary(), kept=False)


@functools.cache
def _temporary() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="forge-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
