"""Other editions of the course, for tests of grading: a checkout of which some files read otherwise."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from forge import resources

_COPIED = ("forge", "solutions")


def other_course(folder: Path, changes: Mapping[str, tuple[str, str]]) -> Path:
    """A checkout in which, file by file, one text stands for another."""
    folder.mkdir()
    for path in resources.root().iterdir():
        if path.name in _COPIED:
            ignore = shutil.ignore_patterns("__pycache__", "_data")
            shutil.copytree(path, folder / path.name, ignore=ignore)
        elif path.name in {"notebooks", "faults", "tests"}:
            (folder / path.name).symlink_to(path)
    for name, (old, new) in changes.items():
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text, (name, old)
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    return folder
