"""Mechanism 20: finished files are handed over, with what they are and how it can be checked.

A file is delivered once in each of its versions: one with the same path and the same bytes was delivered
already, and is not announced again, after a restart or a compaction either.
"""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from ..chain import sha256
from ..errors import InvalidValue
from .sandbox import read_inside, relative
from .sqlite_database import HarnessDatabase
from .tools import Tool

_MOST = 50


class Delivery(NamedTuple):
    """One file that is handed over: path in the workspace, size in bytes, digest, whether it is new."""

    path: str
    size: int
    digest: str
    new: bool

    def line(self) -> str:
        """The delivery in one line of text."""
        state = "delivered" if self.new else "was delivered already"
        return f"{self.path} ({self.size:,} bytes, sha256 {self.digest[:12]}…) {state}"


class Deliveries(tuple[Delivery, ...]):
    """Files that are handed over together; a notebook shows them as a table."""

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{'✓' if one.new else '○'}</td><td>{html.escape(one.path)}</td>"
            f"<td>{one.size:,}</td><td><code>{one.digest[:12]}…</code></td></tr>"
            for one in self
        )
        return f"<table><tr><th></th><th>file</th><th>bytes</th><th>sha256</th></tr>{rows}</table>"

    def __repr__(self) -> str:
        return "\n".join(one.line() for one in self)


def present_files(
    workspace: str | os.PathLike[str],
    paths: Sequence[str],
    session_id: str,
    database: HarnessDatabase,
    *,
    announce: Callable[[Delivery], object] = lambda _: None,
) -> Deliveries:
    """Hand over files of the workspace: all of them or none. `announce` is given each that is new.

    A file that is missing or outside the workspace refuses the whole: half a delivery is worse than none.
    """
    if not paths or len(paths) > _MOST:
        raise InvalidValue("paths were refused", f"expected 1 to {_MOST} paths, found {len(paths)}.")
    found = []
    for path in dict.fromkeys(relative(workspace, path) for path in paths):
        if not (Path(workspace) / path).is_file():
            raise InvalidValue("a file cannot be delivered", f"{path} is no file.", "Write it first.")
        data = read_inside(workspace, path)
        found.append((path, len(data), sha256(data)))
    keep = "INSERT OR IGNORE INTO presented_files VALUES (?, ?, ?)"
    with database.database.writing() as connection:
        made = Deliveries(
            Delivery(path, size, digest, connection.execute(keep, (session_id, digest, path)).rowcount == 1)
            for path, size, digest in found
        )
    for one in made:
        if one.new:
            announce(one)
    return made


def presenting_tool(present: Callable[[Sequence[str]], Deliveries]) -> Tool:
    """The tool by which a model hands files over."""
    return Tool(
        "present_files",
        "Hand finished files over to the user.",
        lambda paths: json.dumps([one._asdict() for one in present(paths)], ensure_ascii=False),
        {"paths": "array"},
    )
