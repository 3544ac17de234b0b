"""A notebook as grading sees it: cells with their text, and nothing that could run or compare by itself."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from .errors import NotANotebook

MAX_BYTES = 50_000_000
MAX_CELLS = 2_000
MAX_TEXT = 200_000
MAX_WHOLE = 1_000_000
MAX_NAME = 80
"""The largest file, the most cells, the longest text of a cell, of all and of a name that are looked at."""

Kind = Literal["code", "text"]

_MARKER = re.compile(r"^[ \t]*#++[ \t]*(NBVAL_\w+|PYTEST_VALIDATE_IGNORE_OUTPUT)[ \t]*$\n?", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    """One cell: its id, which may be empty or anybody's, whether it is code, and its text."""

    id: str
    kind: Kind
    text: str


@dataclass(frozen=True)
class Sheet:
    """The cells of a notebook, what its metadata says of it, and what had to be mended to read it."""

    cells: tuple[Cell, ...]
    stage: str = ""
    course_version: str = ""
    mends: tuple[str, ...] = ()


def read(path: Path) -> Sheet:
    """The notebook in a file, whatever the file is. Raises `NotANotebook`."""
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        raise NotANotebook("a link is not read", "", "Hand in the file itself.")
    if not stat.S_ISREG(found.st_mode):
        raise NotANotebook("not a file")
    if path.suffix != ".ipynb":
        raise NotANotebook(
            "not a notebook", f"its name ends with {path.suffix or 'nothing'}, not with .ipynb."
        )
    if found.st_size == 0:
        raise NotANotebook("the file is empty")
    if found.st_size > MAX_BYTES:
        size = f"{found.st_size / 1e6:.0f} MB, at most {MAX_BYTES / 1e6:.0f} MB are read."
        raise NotANotebook("the file is too large", size, "Clear its outputs and save it again.")
    return parse(path.read_bytes())


def parse(data: bytes) -> Sheet:
    """The notebook in these bytes."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = f"byte {data[error.start]:#04x} at position {error.start}."
        raise NotANotebook("the file is not UTF-8", where, "Save it again in JupyterLab.") from None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotANotebook("the file is not a notebook", f"it is not JSON: {error}.") from None
    raw = _raw_cells(found)
    if raw is None:
        raise NotANotebook("the file is not a notebook", "it is JSON without cells.")
    mends: list[str] = []
    if len(raw) > MAX_CELLS:
        mends.append(f"only the first {MAX_CELLS} of its {len(raw)} cells are read")
    if found.get("nbformat") != 4:
        mends.append(f"written in notebook format {str(found.get('nbformat'))[:MAX_NAME]}")
    cells = tuple(_within(cell for one in raw[:MAX_CELLS] if (cell := _cell(one, mends))))
    if sum(len(cell.text) for cell in cells) > MAX_WHOLE - MAX_TEXT:
        mends.append(f"no more than {MAX_WHOLE} characters of its cells are read")
    if not all(cell.id for cell in cells):
        mends.append("cells without an id")
    of_forge = _mapping(_mapping(found.get("metadata")).get("forge"))
    return Sheet(
        cells,
        str(of_forge.get("stage", ""))[:MAX_NAME],
        str(of_forge.get("course_version", ""))[:MAX_NAME],
        tuple(dict.fromkeys(mends)),
    )


def _within(cells: Iterable[Cell]) -> Iterator[Cell]:
    """The first cells: reading the text of a cell as Python takes a hundred times its size in memory."""
    left = MAX_WHOLE
    for cell in cells:
        left -= len(cell.text)
        if left >= 0:
            yield cell


def _raw_cells(found: Any) -> list[Any] | None:
    """The cells of format 4, or of the worksheets of the formats before it."""
    if not isinstance(found, dict):
        return None
    cells = found.get("cells")
    if isinstance(cells, list):
        return cells
    sheets = found.get("worksheets")
    if not isinstance(sheets, list):
        return None
    return [cell for sheet in sheets for cell in _mapping(sheet).get("cells") or []]


def _cell(raw: Any, mends: list[str]) -> Cell | None:
    if not isinstance(raw, dict):
        mends.append("a cell that is no cell was left out")
        return None
    text = raw.get("source", raw.get("input", ""))
    if isinstance(text, list) and all(isinstance(line, str) for line in text):
        text = "".join(text)
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        mends.append("a cell whose text is none, or is too long, was left out")
        return None
    text = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace").decode()
    kind: Kind = "code" if raw.get("cell_type") == "code" else "text"
    if kind == "code" and _MARKER.search(text):
        mends.append("markers of nbval were taken out")
        text = _MARKER.sub("", text)
    if "tags" in _mapping(raw.get("metadata")):
        mends.append("tags were taken out")
    name = raw.get("id")
    return Cell(name if isinstance(name, str) else "", kind, text)


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
