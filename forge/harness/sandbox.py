"""Mechanism 23, the sandbox: paths stay inside the workspace, and commands are graded by their risk.

A path is followed through every link and `..` before it is judged, and judged again when it is opened, by
opening the file itself and no link. The harness keeps its own records in `.harness`, which is no tool's
business. Against a program that swaps a folder for a link between those two moments only the operating
system helps, and this module does not claim to.

Grading reads a command; it does not run it. What it does not know is never safe.
"""

from __future__ import annotations

import os
import re
import shlex
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from ..errors import OutsideWorkspace
from ..wording import show

OWN = ".harness"
"""The folder of a workspace in which the harness keeps its records."""


class Risk(IntEnum):
    """How much a command can do."""

    READS = 0
    CHANGES = 1
    REFUSED = 2


class Grade(NamedTuple):
    """The risk of a command and what it was graded by."""

    risk: Risk
    reason: str


def inside(workspace: str | os.PathLike[str], path: str, *, own: bool = False) -> Path:
    """The real path of `path`, which is relative to the workspace, or `OutsideWorkspace`.

    Links are followed first, so a link that leads out of the workspace is out of it. With `own` the
    harness's own folder is inside too.
    """
    if not isinstance(path, str) or "\0" in path or not path.strip():
        raise _outside(str(path), "it is no path")
    root = Path(workspace).resolve()
    try:
        found = (root / path).resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, or a name no system takes
        raise _outside(path, type(error).__name__) from error
    if found != root and root not in found.parents:
        raise _outside(path, "it leads out of the workspace")
    if not own and OWN in (part.casefold() for part in found.relative_to(root).parts[:1]):
        raise _outside(path, f"{OWN} holds the harness's own records")
    return found


def relative(workspace: str | os.PathLike[str], path: str) -> str:
    """The path as it stands in the workspace, with `/`; `OutsideWorkspace` when it does not."""
    return inside(workspace, path).relative_to(Path(workspace).resolve()).as_posix()


def read_inside(workspace: str | os.PathLike[str], path: str) -> bytes:
    """The bytes of a file of the workspace."""
    with os.fdopen(_open(inside(workspace, path), os.O_RDONLY, path), "rb") as file:
        return file.read()


def _open(found: Path, flags: int, asked: str) -> int:
    try:
        return os.open(found, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0), 0o666)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _outside(asked, error.strerror or "it cannot be opened") from error


def _outside(path: str, why: str) -> OutsideWorkspace:
    return OutsideWorkspace(
        "a path was refused", f"{show(path)}: {why}.", "Name a path inside the workspace.", path=path
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_READS = _words("basename cat cut diff dirname echo false grep head ls pwd stat test tr true wc which")
_SHELLS = _words("sh bash dash zsh ksh fish python python3 perl ruby node xargs env nohup timeout")
_READING_GIT = _words("blame diff log ls-files show status")
_REFUSED = _words(
    "at batch chgrp chmod chown crontab curl dd doas eval exec fdisk halt insmod kill killall mkfs mount nc"
    " ncat passwd pkill poweroff reboot shred shutdown ssh su sudo systemctl telnet umount useradd wget"
)


def grade_command(command: str, workspace: str | os.PathLike[str] | None = None) -> Grade:
    """How much a command can do: read, change something in the workspace, or what no tool may do.

    With a workspace, each word that names something in it is followed: a link that leads out is refused.
    """
    if re.search(r"[`\0]|\$\(|<\(|>\(|\$\{", command):
        return Grade(Risk.REFUSED, "it computes a part of itself, which cannot be read before")
    try:
        lexer = shlex.shlex(
            command.replace("\n", " ; ").replace("\r", " ; "), posix=True, punctuation_chars=True
        )
        lexer.whitespace_split = True
        lexer.commenters = ""
        words = list(lexer)
    except ValueError:
        return Grade(Risk.REFUSED, "its quotes are not closed")
    parts: list[list[str]] = [[]]
    for word in words:
        if set(word) <= set(";&|()"):
            parts.append([])
        else:
            parts[-1].append(word)
        if workspace is not None and (why := _leads_out(workspace, word)):
            return Grade(Risk.REFUSED, why)
    grades = [_grade_one(part, "|" in words) for part in parts if part]
    return max(grades, key=lambda grade: grade.risk, default=Grade(Risk.REFUSED, "it is empty"))


def _leads_out(workspace: str | os.PathLike[str], word: str) -> str:
    named = re.sub(r"^-[\w-]*=?", "", word)
    try:
        if named and os.path.lexists(Path(workspace) / named):
            inside(workspace, named)
    except OutsideWorkspace as error:
        return error.facts
    return ""


def _grade_one(words: list[str], pipes: bool) -> Grade:
    if any(set(word) <= set("<>") for word in words):
        return Grade(Risk.CHANGES, "it redirects to a file")
    while words and re.fullmatch(r"\w+=.*", words[0]):
        words = words[1:]  # a variable set for the command alone
    if not words:
        return Grade(Risk.CHANGES, "it sets a variable")
    program, given = words[0].rsplit("/", 1)[-1], words[1:]
    if program in _REFUSED or program.startswith("mkfs"):
        return Grade(Risk.REFUSED, f"{program} reaches beyond the workspace")
    if leading := [word for word in given if re.search(r"(^|[=/])\.\.(/|$)|^[/~]|=[/~]|\$", word)]:
        return Grade(Risk.REFUSED, f"{leading[0]} leads out of the workspace")
    if program == "rm" and any(re.match(r"-\w*[rRf]|--(recursive|force)", word) for word in given):
        return Grade(Risk.REFUSED, "rm with -r or -f removes without asking")
    if program in _SHELLS:
        if pipes or "-c" in given or "-e" in given or program in ("xargs", "env", "nohup"):
            return Grade(Risk.REFUSED, f"{program} runs a program that cannot be read here")
        return Grade(Risk.CHANGES, f"{program} runs a program")
    if program in _READS:
        return Grade(Risk.READS, f"{program} only reads")
    if program == "git" and given and given[0] in _READING_GIT and not any("--output" in w for w in given):
        return Grade(Risk.READS, f"git {given[0]} only reads")
    return Grade(Risk.CHANGES, f"{program} may change something")
