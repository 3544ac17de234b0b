"""The tools every session has: list, read and search files, which only read; write and run, which ask.

Each stays inside the workspace by itself, whoever calls it and whatever was checked before.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

from ..errors import InvalidValue
from ..storage import atomic_replace
from .externalise import LIMIT, Outputs
from .sandbox import OWN, Risk, grade_command, inside, read_inside
from .tools import Tool

_ENTRIES = 500
_SECONDS = 20


def workspace_tools(workspace: str | os.PathLike[str], outputs: Outputs | None = None) -> list[Tool]:
    """The tools of a workspace; with `outputs` also the one that reads what was put aside."""
    root = Path(workspace)
    path = {"path": "string"}
    tools = [
        Tool("list_files", "List the files of a folder.", lambda path=".": list_files(root, path), path,
             frozenset({"path"}), subject="path"),
        Tool("read_file", "Read a text file.", lambda path: read_file(root, path), path, subject="path"),
        Tool("write_file", "Write a text file.", lambda path, text: write_file(root, path, text),
             {"path": "string", "text": "string"}, writes=True, subject="path"),
        Tool("run_command", "Run one program, without a shell.", lambda command: run_command(root, command),
             {"command": "string"}, writes=True, subject="command", deferred=True),
    ]  # fmt: skip
    if outputs is not None:
        parts = {"digest": "string", "start": "integer"}
        tools.append(
            Tool("read_output", "Read a part of an output that was put aside, by its digest.",
                 lambda digest, start=0: outputs.read(digest, start, LIMIT), parts, frozenset({"start"}))
        )  # fmt: skip
    return tools


def list_files(workspace: Path, path: str) -> str:
    """The files under a folder, one a line, without the harness's own; links are named and not followed."""
    top, root = inside(workspace, path), workspace.resolve()
    if not top.is_dir():
        raise InvalidValue("path was refused", f"expected a folder, found {path}.")
    found: list[str] = []
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if not (Path(folder) == root and name == OWN))
        here = Path(folder).relative_to(root)
        found += [(here / name).as_posix() for name in sorted(files)]
        if len(found) > _ENTRIES:
            return "\n".join([*found[:_ENTRIES], f"… more than {_ENTRIES} files: name a folder"])
    return "\n".join(sorted(found)) or "no files"


def read_file(workspace: Path, path: str) -> str:
    """The text of a file."""
    try:
        return read_inside(workspace, path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidValue(
            "path was refused", f"expected UTF-8 text, found {error.reason} in {path}."
        ) from None


def write_file(workspace: Path, path: str, text: str) -> str:
    """Make a file hold the text, whole or not at all."""
    data = text.encode("utf-8")
    atomic_replace(inside(workspace, path), data)
    return f"{len(data)} bytes written to {path}"


def run_command(workspace: Path, command: str) -> str:
    """What one program printed, run without a shell, in the workspace, with nothing of our environment."""
    grade = grade_command(command, workspace)
    if grade.risk is Risk.REFUSED:
        raise InvalidValue("command was refused", f"{grade.reason}.")
    if set(";&|<>\n") & set(command):
        raise InvalidValue("command was refused", "expected one program, found several or a redirection.")
    done = subprocess.run(
        shlex.split(command),
        cwd=workspace,
        env={"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_SECONDS,
        check=False,
    )
    said = done.stdout.decode("utf-8", "replace")
    return said if done.returncode == 0 else f"exit code {done.returncode}\n{said}"
