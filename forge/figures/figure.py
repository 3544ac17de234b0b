"""The dial and the strip: widgets over what was computed before, so that moving them asks no kernel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import anywidget
import traitlets

from ..errors import InvalidValue
from ..timeline.family import with_family
from ..timeline.texts import visible
from ..wording import show
from .board import Board, Row
from .marks import CUT, GLYPHS, Mark, mark_of

HERE = Path(__file__).parent
EXCERPT = 40
"""Characters of a block's text that the static table shows."""


class Figure(anywidget.AnyWidget):
    """What the dial and the strip share: of several places, counted from 0, the one at `at` is shown.

    Setting `at` moves every view; moving a view in the browser does not change it here. Without a front end
    the figure is a table of all places.
    """

    _esm = with_family(HERE / "figure.js")
    _css = with_family(HERE / "figure.css")

    content = traitlets.Dict().tag(sync=True)
    at = traitlets.Int().tag(sync=True)

    def __init__(self, content: dict[str, Any], board: Board, at: int) -> None:
        self.board = board
        """All places, as the table that stands where no widget can."""
        super().__init__(content=content, at=at)

    @traitlets.validate("at")
    def _check_at(self, proposal: traitlets.Bunch) -> int:
        at: int = proposal["value"]
        last = len(self.board.rows) - 1
        if not 0 <= at <= last:
            raise InvalidValue(
                "no such place",
                f"the figure has the places 0 to {last}, found {show(at)}.",
                path="at",
                expected=f"0 to {last}",
                found=show(at),
            )
        return at

    def __repr__(self) -> str:
        return self.board.text()

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        return {**data, "text/plain": self.board.text(), "text/html": self.board.html()}, metadata


class Block(NamedTuple):
    """One of the things a dial shows side by side.

    `text` is shown as it is, monospaced; ‸ in it is where it is cut. `verdict` begins with its glyph. `note`
    is a line beside the heading.
    """

    heading: str
    text: str
    verdict: str
    note: str = ""


class Frame(NamedTuple):
    """What a dial shows at one place."""

    label: str
    blocks: Sequence[tuple[str, str, str] | tuple[str, str, str, str]]
    caption: str = ""


class Segment(NamedTuple):
    """One place of a strip: `facts` are (label, value) pairs, `caption` a sentence."""

    label: str
    mark: Mark
    facts: Sequence[tuple[str, str]] = ()
    caption: str = ""


class Dial(Figure):
    """A slider over frames that were computed before, from frame 0 on.

    The control reads "`lead` 3 of 5 `unit`". Frames hold the same blocks in the same order.
    """

    def __init__(
        self,
        title: str,
        frames: Sequence[Frame],
        *,
        unit: str = "steps",
        lead: str = "after",
        at: int = 0,
    ) -> None:
        self.frames = tuple(
            Frame(frame.label, tuple(Block(*block) for block in frame.blocks), frame.caption)
            for frame in frames
        )
        _require("Dial", "frames", self.frames)
        headings = [[block[0] for block in frame.blocks] for frame in self.frames]
        for place, found in enumerate(headings):
            if found != headings[0]:
                raise InvalidValue(
                    "Dial was refused",
                    f"frame {place} has the blocks {show(found)}, frame 0 has {show(headings[0])}.",
                    "Give every frame the same blocks.",
                    path="frames",
                    expected=headings[0],
                    found=found,
                )
        self.title, self.unit, self.lead = title, unit, lead
        content = {
            "kind": "dial",
            "title": visible(title),
            "unit": visible(unit),
            "lead": visible(lead),
            "frames": [_frame(frame) for frame in self.frames],
        }
        super().__init__(content, self._table(), at)

    def _table(self) -> Board:
        """A row a frame and a column a block: its verdict, and where it is another than before its text."""
        columns = (self.unit, *(block[0] for block in self.frames[0].blocks))
        rows: list[Row] = []
        captions = []
        before = Frame("", [("", "", "")] * (len(columns) - 1))
        for place, frame in enumerate(self.frames):
            cells = [
                verdict if text == shown else f"{verdict}\n`{excerpt(text)}`"
                for (_, text, verdict, *_), (_, shown, *_) in zip(frame.blocks, before.blocks, strict=True)
            ]
            rows.append((f"{place}\n{frame.label}" if frame.label else f"{place}", cells))
            if frame.caption and frame.caption != before.caption:
                captions.append(f"{place}: {frame.caption}")
            before = frame
        return Board(self.title, columns, rows, "\n".join(captions))


class Strip(Figure):
    """A row of segments, each with its meaning; the chosen one is told in full below.

    It opens at the first broken segment, else at the first.
    """

    def __init__(
        self,
        title: str,
        segments: Sequence[Segment],
        *,
        caption: str = "",
        at: int | None = None,
    ) -> None:
        self.segments = tuple(segments)
        _require("Strip", "segments", self.segments)
        for segment in self.segments:
            if segment.mark not in GLYPHS:
                raise InvalidValue(
                    "Segment.mark was refused",
                    f"expected one of {', '.join(GLYPHS)}, found {show(segment.mark)}.",
                    path="mark",
                    expected=tuple(GLYPHS),
                    found=segment.mark,
                )
        self.title, self.caption = title, caption
        if at is None:
            marks = [segment.mark for segment in self.segments]
            at = marks.index("broken") if "broken" in marks else 0
        content = {
            "kind": "strip",
            "title": visible(title),
            "caption": visible(caption),
            "segments": [
                {
                    "label": visible(segment.label),
                    "mark": segment.mark,
                    "facts": [[visible(label), visible(value)] for label, value in segment.facts],
                    "caption": visible(segment.caption),
                }
                for segment in self.segments
            ],
        }
        super().__init__(content, self._table(), at)

    def _table(self) -> Board:
        """A row a segment: its facts in one line, and its caption."""
        rows = []
        for segment in self.segments:
            facts = "; ".join(f"{name}: `{value}`" for name, value in segment.facts)
            label = f"{GLYPHS[segment.mark]} {segment.label}"
            rows.append((label, ["\n".join(filter(None, [facts, segment.caption]))]))
        return Board(self.title, ("",), rows, self.caption)


def excerpt(text: str) -> str:
    """One line of a text, round the place where it is cut."""
    line = " ".join(text.split())
    if len(line) <= EXCERPT:
        return line
    if CUT not in line:
        return line[: EXCERPT - 1] + "…"
    end = min(len(line), line.index(CUT) + EXCERPT // 4)
    start = max(0, end - EXCERPT + 2)
    return ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")


def _frame(frame: Frame) -> dict[str, Any]:
    blocks = [
        {
            "heading": visible(heading),
            "text": "\n".join(map(visible, text.split("\n"))),
            "verdict": visible(verdict),
            "mark": mark_of(verdict),
            "note": visible("".join(note)),
        }
        for heading, text, verdict, *note in frame.blocks
    ]
    return {"label": visible(frame.label), "blocks": blocks, "caption": visible(frame.caption)}


def _require(name: str, what: str, found: Sequence[object]) -> None:
    if not found:
        raise InvalidValue(
            f"{name} was refused", f"expected at least one of its {what}, found none.", path=what
        )
