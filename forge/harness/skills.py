"""Mechanism 16: skills. A model is told their names and one line each; it loads the one it needs.

A skill is a folder with a `SKILL.md`: a head between two lines `---`, with `name` and `description`, and
under it what to do. Only heads are read for the catalogue. The folder's other files are read through the
skill, and a skill reaches no file outside its own folder.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

import yaml

from ..errors import InvalidValue
from ..wording import show
from .sandbox import read_inside
from .tools import Tool

FILE = "SKILL.md"
OWN_SKILLS = Path(__file__).parent / "data" / "skills"
"""The skills that come with forge."""

_HEAD = re.compile(r"\A---\n(.*?)\n---\n?(.*)\Z", re.DOTALL)


class Skill(NamedTuple):
    """The head of a skill and the folder it stands in."""

    name: str
    description: str
    folder: Path


class Skills:
    """The skills in the folders of `folders`. Of two with one name the first folder's counts."""

    def __init__(self, *folders: str | os.PathLike[str]) -> None:
        self._skills: dict[str, Skill] = {}
        for folder in map(Path, folders):
            for file in sorted(folder.glob(f"*/{FILE}")) if folder.is_dir() else ():
                head, _ = split(_text(file.parent, FILE), file)
                skill = Skill(head["name"], head["description"], file.parent)
                self._skills.setdefault(skill.name, skill)

    def __len__(self) -> int:
        return len(self._skills)

    def catalogue(self) -> str:
        """One line a skill: what a prompt holds of all of them."""
        return "\n".join(f"{skill.name}: {skill.description}" for skill in self._skills.values())

    def load(self, name: str) -> str:
        """What a skill says to do, and which other files it has."""
        skill = self._named(name)
        _, body = split(_text(skill.folder, FILE), skill.folder / FILE)
        files = (path for path in skill.folder.rglob("*") if path.is_file() and path.name != FILE)
        beside = sorted(path.relative_to(skill.folder).as_posix() for path in files)
        return body.strip() + ("\n\nFiles: " + ", ".join(beside) if beside else "")

    def read(self, name: str, path: str) -> str:
        """One of the skill's other files."""
        return _text(self._named(name).folder, path)

    def tools(self) -> list[Tool]:
        """The tools by which a model loads a skill and reads its files."""
        both = {"name": "string", "path": "string"}
        return [
            Tool("load_skill", "Load a skill of the catalogue by name.", self.load, {"name": "string"}),
            Tool("read_skill_file", "Read a file of a skill.", self.read, both),
        ]

    def _named(self, name: str) -> Skill:
        if name not in self._skills:
            known = ", ".join(self._skills) or "none"
            raise InvalidValue("no skill has this name", f"found {show(name)}; there are: {known}.")
        return self._skills[name]


def split(text: str, file: Path) -> tuple[dict[str, str], str]:
    """The head and the body of a skill's text. `InvalidValue` names the file when it has no right head."""
    found = _HEAD.match(text.replace("\r\n", "\n"))
    try:
        head = yaml.safe_load(found.group(1)) if found else None
    except yaml.YAMLError:
        head = None
    if not found or not isinstance(head, dict):
        raise InvalidValue("a skill has no head", f"{file} does not begin with a head between two lines ---.")
    for field in ("name", "description"):
        value = head.get(field)
        if not isinstance(value, str) or not value.strip() or "\n" in value.strip():
            raise InvalidValue(
                f"{field} was refused", f"expected one line of text in {file}, found {show(value)}."
            )
    return {field: head[field].strip() for field in ("name", "description")}, found.group(2)


def _text(folder: Path, path: str) -> str:
    try:
        return read_inside(folder, path).decode("utf-8")
    except (FileNotFoundError, UnicodeDecodeError) as error:
        raise InvalidValue("a file of a skill cannot be read", f"{path}: {type(error).__name__}.") from None
