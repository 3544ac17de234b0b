"""What an output must not hold because the next run, or another machine, would print something else."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from .. import resources

_PATTERNS = {
    "a memory address": re.compile(r"\b0x[0-9a-f]{6,}\b", re.IGNORECASE),
    "a process id": re.compile(r"(?:\bipykernel_|\bpid\b[\s:=]*)\d+", re.IGNORECASE),
    "terminal colours": re.compile("\x1b\\["),
    "the version of Python": re.compile(r"\b" + re.escape(".".join(map(str, sys.version_info[:3]))) + r"\b"),
}


def find(text: str) -> str:
    """The first trace of this machine or this run in the text, in words, or nothing."""
    for what, folder in _folders().items():
        for form in {folder, folder.replace("\\", "/"), folder.replace("\\", "\\\\")}:
            found = re.search(re.escape(form) + r"(?![\w.-])", text)
            if found:
                return f"a path of this machine, {what}: {_around(text, found.start())}"
    for what, pattern in _PATTERNS.items():
        if found := pattern.search(text):
            return f"{what}: {_around(text, found.start())}"
    return ""


def _folders() -> dict[str, str]:
    places = {
        "the course": resources.root(),
        "this package": Path(__file__).parents[2],
        "the interpreter": Path(sys.prefix),
        "the home folder": Path.home(),
        "the temporary folder": Path(tempfile.gettempdir()),
    }
    return {
        f"{what}{suffix}": str(path)
        for what, place in places.items()
        for suffix, path in (("", place.absolute()), (" resolved", place.resolve()))
        if len(path.parts) > 1
    }


def _around(text: str, position: int) -> str:
    line = text[position : position + 60].splitlines()[0]
    return repr(line)
