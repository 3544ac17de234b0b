"""Where the files of the course are."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
COURSE = "FORGE_COURSE"
"""The environment variable that names another checkout of the course, for child processes too."""


def root() -> Path:
    """The folder that holds notebooks/, faults/ and tests/.

    It is $FORGE_COURSE, else the checkout this package stands in, else the data inside the wheel.
    """
    if named := os.environ.get(COURSE):
        return Path(named)
    checkout = _PACKAGE.parent
    return checkout if (checkout / "faults").is_dir() else _PACKAGE / "_data"


def package() -> Path:
    """The package whose functions a course asks for: that of $FORGE_COURSE, if it has one, else this one."""
    named = os.environ.get(COURSE)
    return Path(named) / "forge" if named and (Path(named) / "forge").is_dir() else _PACKAGE


def stage_contracts() -> Path:
    """The folder of the stage contracts."""
    if named := os.environ.get(COURSE):
        return Path(named) / "forge" / "course" / "stages"
    return _PACKAGE / "course" / "stages"


def faults(stem: str) -> Path:
    """The folder of a stage's faults."""
    return root() / "faults" / stem


def contract_tests(stem: str) -> Path:
    """The file of a stage's contract tests."""
    return root() / "tests" / "stages" / f"test_{stem}.py"


def scene_tests(stem: str) -> Path:
    """The file that judges a stage's transfer scene."""
    return root() / "tests" / "stages" / f"scene_{stem}.py"


def notebook(stem: str) -> Path:
    """The learner edition of a stage's notebook."""
    return root() / "notebooks" / f"{stem}.ipynb"


def source(stem: str) -> Path:
    """The solved source of a stage's notebook; only a checkout has it."""
    return root() / "solutions" / f"{stem}.py"
