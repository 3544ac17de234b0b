"""The second axis of a timeline: what is in force on a business date, as far as was known after a prefix.

A fact is a rectangle: known at the prefixes [from, to), in force on the dates [from, to). A timeline shows it
where the point of prefix and date lies inside. What the rows mean is the caller's business.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, NamedTuple, NoReturn

from ..errors import InvalidValue
from ..history import flatten
from ..wording import show as shown
from .texts import path_text, show, visible


class Edges(NamedTuple):
    """The numbers of the events that drew the edges of a rectangle; None for an edge that none drew."""

    prefix_from: int | None = None
    prefix_to: int | None = None
    date_from: int | None = None
    date_to: int | None = None


class Rectangle(NamedTuple):
    """One row, with its values, where it is known and in force; None leaves a side open.

    `values` is a mapping, or any value that a state may hold. Without `edges` it is taken that event
    `prefix_from` drew the left edge and both dates, and event `prefix_to` the right edge.
    """

    row: str
    values: Any
    prefix_from: int
    prefix_to: int | None = None
    date_from: date | None = None
    date_to: date | None = None
    edges: Edges | None = None

    def drawn(self) -> Edges:
        """The events that drew the edges."""
        first = self.prefix_from or None
        until = self.prefix_to
        return self.edges or Edges(
            first, until, first if self.date_from else None, first if self.date_to else None
        )


class Dates(NamedTuple):
    """The second axis of a timeline: its rectangles, and the date shown first."""

    rectangles: tuple[Rectangle, ...]
    at: date

    def in_force(self, prefix: int) -> list[Rectangle]:
        """The rectangles that hold the point of a prefix and the date shown first."""
        return [
            r
            for r in self.rectangles
            if r.prefix_from <= prefix
            and (r.prefix_to is None or prefix < r.prefix_to)
            and (r.date_from is None or r.date_from <= self.at)
            and (r.date_to is None or self.at < r.date_to)
        ]


def dates_of(rectangles: Iterable[Rectangle], count: int, at: date | None) -> Dates | None:
    """The rectangles over `count` events, checked; None when there are none.

    The date shown first is `at`, or else the latest on which a row begins.
    """
    found = tuple(rectangles)
    for place, rectangle in enumerate(found):
        _require(rectangle, place, count)
    if at is not None:
        _require_date(at, "date")
    begins = [r.date_from for r in found if r.date_from is not None]
    ends = [r.date_to for r in found if r.date_to is not None]
    return Dates(found, at or max(begins, default=min(ends, default=date(2000, 1, 1)))) if found else None


def pack_dates(dates: Dates | None) -> bytes:
    """The second axis as JSON in gzip, the same bytes for the same one; nothing for None.

    Days are numbers, 1 being the first of January of year 1.
    """
    if dates is None:
        return b""
    found = dates.rectangles
    bounds = [_day(day) for r in found for day in (r.date_from, r.date_to)]
    days = [dates.at.toordinal(), *(day for day in bounds if day is not None)]
    rows = list(dict.fromkeys(rectangle.row for rectangle in found))
    places = {row: place for place, row in enumerate(rows)}
    data = {
        "first": max(1, min(days) - 1),
        "last": min(date.max.toordinal(), max(days) + 1),
        "at": dates.at.toordinal(),
        "rows": [visible(row) for row in rows],
        "rectangles": [
            [
                places[r.row],
                [[path_text(path), show(leaf)] for path, leaf in flatten(r.values).items()],
                [r.prefix_from, r.prefix_to],
                [_day(r.date_from), _day(r.date_to)],
                list(r.drawn()),
            ]
            for r in found
        ],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return gzip.compress(text, 6, mtime=0)


def _day(day: date | None) -> int | None:
    return None if day is None else day.toordinal()


def _require(rectangle: object, place: int, count: int) -> None:
    where = f"dates[{place}]"
    if not isinstance(rectangle, Rectangle):
        _refuse(where, "a Rectangle", rectangle)
    if not isinstance(rectangle.row, str):
        _refuse(f"{where}.row", "a text", rectangle.row)
    known = (rectangle.prefix_from, rectangle.prefix_to)
    if type(known[0]) is not int or not 0 <= known[0] <= count:
        _refuse(f"{where}.prefix_from", f"a prefix from 0 to {count}", known[0])
    if known[1] is not None and (type(known[1]) is not int or not known[0] < known[1] <= count):
        _refuse(f"{where}.prefix_to", f"None, or a prefix from {known[0] + 1} to {count}", known[1])
    for side in ("date_from", "date_to"):
        if getattr(rectangle, side) is not None:
            _require_date(getattr(rectangle, side), f"{where}.{side}")
    begin, end = rectangle.date_from, rectangle.date_to
    if begin is not None and end is not None and begin >= end:
        _refuse(f"{where}.date_to", f"None, or a date after {begin}", end)
    for side, number in rectangle.drawn()._asdict().items():
        if number is not None and (type(number) is not int or not 1 <= number <= count):
            _refuse(f"{where}.edges.{side}", f"None, or an event from 1 to {count}", number)


def _require_date(day: object, where: str) -> None:
    if not isinstance(day, date) or isinstance(day, datetime):
        _refuse(where, "a datetime.date", day)


def _refuse(path: str, expected: str, found: object) -> NoReturn:
    raise InvalidValue(
        "dates were refused",
        f"{path}: expected {expected}, found {shown(found)}.",
        "A row is known at the prefixes [from, to) and in force on the dates [from, to).",
        path=path,
        expected=expected,
        found=shown(found),
    )
