"""A chart of counts: one bar a row, its parts in the colours of the four meanings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..timeline.texts import visible
from .marks import GLYPHS, TONES, Mark, plain, rich

Part = tuple[Mark, int, str]
"""A meaning, a count, and what is counted: ("holds", 3, "finished")."""

_TEXT = "color:var(--jp-content-font-color1,inherit)"
_MUTED = "color:var(--jp-content-font-color2,#656d76)"
_CELL = "padding:3px 12px 3px 6px;border:0;text-align:left;background:none;vertical-align:middle"
_HATCH = "repeating-linear-gradient(135deg,transparent 0 5px,color-mix(in srgb,{0} 45%,transparent) 5px 7px)"


@dataclass(frozen=True)
class Bars:
    """A title, rows of a label and parts, and a caption. A unit of a count is as wide in every row.

    Every part says its count and what it counts, so that nothing is told by length or colour alone; what is
    broken is hatched as well.
    """

    title: str
    rows: Sequence[tuple[str, Sequence[Part]]]
    caption: str = ""

    def text(self) -> str:
        """The chart as aligned text."""
        width = max((len(label) for label, _ in self.rows), default=0)
        lines = [
            f"  {visible(label):<{width}}  {_drawn(parts)}  {_told(parts)}" for label, parts in self.rows
        ]
        return "\n".join([self.title, *lines, *([plain(self.caption)] if self.caption else [])])

    def html(self) -> str:
        """The chart as a table with inline style: no script, both themes."""
        most = max((sum(count for _, count, _ in parts) for _, parts in self.rows), default=0) or 1
        rows = "".join(
            f'<tr style="background:none;border:0"><th scope="row" style="{_CELL};font-weight:400;'
            f'white-space:nowrap">{rich(visible(label))}</th>'
            f'<td style="{_CELL};width:100%">{_bar(parts, most)}</td></tr>'
            for label, parts in self.rows
        )
        caption = f'<div style="{_MUTED};font-size:13px;margin:4px 0 0">{rich(self.caption)}</div>'
        return (
            f'<div style="margin:4px 0;max-width:860px;font-size:14px;line-height:1.5;{_TEXT}">'
            '<table style="border-collapse:collapse;border:0;margin:0;width:100%;table-layout:auto">'
            f'<caption style="caption-side:top;text-align:left;font-weight:600;padding:0 0 4px;{_TEXT}">'
            f"{rich(visible(self.title))}</caption><tbody>{rows}</tbody></table>"
            f"{caption if self.caption else ''}</div>"
        )

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        return {"text/plain": self.text(), "text/html": self.html()}

    def __repr__(self) -> str:
        return self.text()


def _drawn(parts: Sequence[Part]) -> str:
    drawn = ("█" if mark == "holds" else "░" for mark, count, _ in parts for _ in range(count))
    return "".join(drawn)


def _told(parts: Sequence[Part]) -> str:
    return " · ".join(f"{GLYPHS[mark]} {count} {what}" for mark, count, what in parts)


def _bar(parts: Sequence[Part], most: int) -> str:
    blocks = "".join(
        f'<span style="display:inline-block;vertical-align:middle;height:14px;width:{60 * count / most:.2f}%;'
        f"background:{_HATCH.format(TONES[mark]) + ',' if mark == 'broken' else ''}"
        f'color-mix(in srgb,{TONES[mark]} {30 if mark == "broken" else 75}%,transparent)"></span>'
        for mark, count, _ in parts
        if count
    )
    told = " · ".join(rich(f"{GLYPHS[mark]} {count} {what}") for mark, count, what in parts)
    return f'{blocks}<span style="padding-left:8px;font-size:13px;white-space:nowrap">{told}</span>'
