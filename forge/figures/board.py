"""A table that means the same as HTML in JupyterLab and as text anywhere."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import InvalidValue
from ..timeline.texts import visible
from ..wording import show
from .marks import MONO, TONES, mark_of, plain, rich

Cell = str | int
Row = tuple[str, Sequence[Cell]]

WIDTH = 100
"""Characters of a line of the text; where a row is longer, its widest cells are wrapped."""

_NUMBER = re.compile(r"[-−+]?\d[\d,. ]*%?|[–-]?")
_TEXT = "color:var(--jp-content-font-color1,inherit)"
_MUTED = "color:var(--jp-content-font-color2,#656d76)"
_LINE = "1px solid var(--jp-border-color2,#8c959f66)"


@dataclass(frozen=True)
class Board:
    """A table with a title and, below it, a caption.

    A row is its label and one cell a column; one column more than cells names the column of the labels. A
    cell that begins with ✓ ✗ ◐ ○ gets the colour of that meaning. Whole numbers get their thousands apart,
    and a column of nothing but numbers is aligned to the right. A newline begins a new line of a cell; in a
    label, lines after the first are about it. What stands between backticks is code.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Row]
    caption: str = ""

    def __post_init__(self) -> None:
        for label, cells in self.rows:
            if len(cells) != len(self.rows[0][1]) or len(self.columns) - len(cells) not in (0, 1):
                raise InvalidValue(
                    "Board was refused",
                    f"the row {show(label)} has {len(cells)} cells, the board {len(self.columns)} columns.",
                    "Give every row one cell a column; a column for the labels may come first.",
                    path="rows",
                    expected=len(self.columns),
                    found=len(cells),
                )

    def text(self) -> str:
        """The table as aligned text."""
        shown = [[plain(cell) for cell in row] for row in self._all() if any(row)]
        limit = _limit([max(map(_widest, column)) for column in zip(*shown, strict=True)])
        wrapped = [[_wrapped(cell, limit) for cell in row] for row in shown]
        widths = [max(len(line) for cell in column for line in cell) for column in zip(*wrapped, strict=True)]
        table = [line for row in wrapped for line in _lines(row, widths, self._numbers())]
        caption = [line for text in self._captions() for line in textwrap.wrap(plain(text), WIDTH)]
        return "\n".join([*([visible(self.title)] if self.title else []), *table, *caption])

    def html(self) -> str:
        """The table as HTML with inline style: no script, no style sheet, both themes."""
        head, *rows = self._all()
        numbers = self._numbers()
        parts = [f'<table style="{_TABLE}">']
        if self.title:
            parts.append(f'<caption style="{_TITLE}">{rich(visible(self.title))}</caption>')
        if any(head):
            cells = "".join(
                f'<th scope="col" style="{_HEAD}{_RIGHT if number else ""}">{rich(name)}</th>'
                if name  # a header without a name is announced as an empty one
                else f'<td style="{_HEAD}"></td>'
                for name, number in zip(head, numbers, strict=True)
            )
            parts.append(f'<thead style="border:0"><tr style="{_ROW}">{cells}</tr></thead>')
        parts.append("<tbody>")
        for label, *cells_of in rows:
            parts.append(
                f'<tr style="{_ROW}"><th scope="row" style="{_CELL};font-weight:400">{_label(label)}</th>'
            )
            parts += [
                f'<td style="{_CELL}{_NUMBERS if number else ""}{_tint(cell)}">{_cell(cell)}</td>'
                for cell, number in zip(cells_of, numbers[1:], strict=True)
            ]
            parts.append("</tr>")
        parts.append("</tbody></table>")
        captions = "".join(f'<div style="{_BELOW}">{rich(line)}</div>' for line in self._captions())
        return f'<div style="{_FRAME}"><div style="overflow-x:auto">{"".join(parts)}</div>{captions}</div>'

    def _all(self) -> list[list[str]]:
        """The head and the rows, each with its label first, as text in which everything can be seen."""
        rows = [[_shown(cell) for cell in (label, *cells)] for label, cells in self.rows]
        width = len(rows[0]) if rows else len(self.columns)
        return [[*[""] * (width - len(self.columns)), *map(visible, self.columns)], *rows]

    def _numbers(self) -> list[bool]:
        """Which columns hold nothing but numbers."""
        _, *rows = self._all()
        columns = list(zip(*rows, strict=True)) or [()] * len(self.columns)
        return [any(column) and all(map(_NUMBER.fullmatch, column)) for column in columns]

    def _captions(self) -> list[str]:
        return [visible(line) for line in self.caption.split("\n") if line]

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        return {"text/plain": self.text(), "text/html": self.html()}

    def __repr__(self) -> str:
        return self.text()


_CELL = (
    f"padding:4px 12px 4px 6px;border:0;border-bottom:{_LINE};text-align:left;vertical-align:baseline;"
    "background:none;line-height:1.45;overflow-wrap:break-word;white-space:normal"
)
_RIGHT = ";text-align:right"
_NUMBERS = f"{_RIGHT};{MONO};font-variant-numeric:tabular-nums"
_HEAD = f"{_CELL};{_MUTED};font-weight:600;font-size:12px"
_BELOW = f"{_MUTED};font-size:13px;margin:4px 0 0;max-width:76ch"
_ROW = "background:none;border:0"
_TABLE = "border-collapse:collapse;border:0;margin:0;font-size:14px;table-layout:auto"
_TITLE = f"caption-side:top;text-align:left;font-weight:600;padding:0 0 4px;font-size:14px;{_TEXT}"
_FRAME = f"margin:4px 0;max-width:860px;font-size:14px;line-height:1.5;text-align:left;{_TEXT}"


def _shown(cell: Cell) -> str:
    if isinstance(cell, int):
        return f"{cell:,}"
    return "\n".join(visible(line) for line in cell.split("\n"))


def _widest(cell: str) -> int:
    return max(map(len, cell.split("\n")))


def _limit(widths: list[int]) -> int:
    """The most characters a column may have, so that a row of them fits into the line."""
    room = WIDTH - 2 * len(widths)
    return next(
        (limit for limit in range(max(widths), 12, -1) if sum(min(width, limit) for width in widths) <= room),
        12,
    )


def _wrapped(cell: str, limit: int) -> list[str]:
    return [line for text in cell.split("\n") for line in textwrap.wrap(text, limit) or [""]]


def _lines(row: list[list[str]], widths: list[int], numbers: list[bool]) -> list[str]:
    lines = []
    for place in range(max(map(len, row))):
        cells = [cell[place] if place < len(cell) else "" for cell in row]
        aligned = (
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(cells, widths, numbers, strict=True)
        )
        lines.append("  " + "  ".join(aligned).rstrip())
    return lines


def _cell(cell: str) -> str:
    return "<br>".join(map(rich, cell.split("\n")))


def _label(cell: str) -> str:
    name, *more = cell.split("\n")
    about = "".join(f'<div style="{_MUTED};font-size:13px">{rich(line)}</div>' for line in more)
    return rich(name) + about


def _tint(cell: str) -> str:
    mark = mark_of(cell)
    # Wrapped words stand under the words of the first line, not under the glyph.
    return (
        f";padding-left:22px;text-indent:-16px;background:color-mix(in srgb,{TONES[mark]} 9%,transparent)"
        if mark
        else ""
    )
