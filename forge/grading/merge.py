"""Put a learner's answers into the instructor's pristine notebook, and mend on the way what can be mended.

An answer is bound to its item by the decorator above it, else by the id of its cell, else by its place
between the cells around it. Nothing here touches a file or runs anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from .answers import Answer, answers_in, attempted, decorated, function_named, parsed
from .sheet import Cell, Sheet

Origin = Literal["pristine", "answer", "own"]


@dataclass(frozen=True)
class Part:
    """One cell of a merged notebook, and the items that it answers."""

    name: str
    origin: Origin
    text: str
    items: tuple[str, ...] = ()


@dataclass(frozen=True)
class Bound:
    """The cell that answers an item. An answer that is the shipped one is not attempted."""

    text: str
    attempted: bool


@dataclass(frozen=True)
class Merged:
    """The notebook that is graded, the answers in it by item, and what was mended to make it."""

    parts: tuple[Part, ...]
    bound: Mapping[str, Bound]
    mends: tuple[str, ...]


@dataclass
class _Desk:
    """The work in progress: the learner's cells, which of them answer what, and the mends."""

    pristine: Sheet
    cells: list[Cell]
    mends: list[str]
    asked: dict[str, tuple[int, Answer]] = field(default_factory=dict)
    """By item: the place of its pristine cell, and what it asks for."""
    bound: dict[str, int] = field(default_factory=dict)
    """By item: the place of the learner's cell."""
    dropped: set[int] = field(default_factory=set)


def items_of(pristine: Sheet) -> dict[str, Answer]:
    """The items that a pristine notebook asks for, in its order."""
    return {
        answer.id: answer
        for cell in pristine.cells
        if cell.kind == "code"
        for answer in answers_in(cell.text)
    }


def merge(pristine: Sheet, learner: Sheet) -> Merged:
    """The pristine notebook with the learner's answers and own cells in place."""
    desk = _Desk(pristine, list(learner.cells), list(learner.mends))
    for place, cell in enumerate(pristine.cells):
        for answer in answers_in(cell.text) if cell.kind == "code" else ():
            desk.asked[answer.id] = (place, answer)
    if learner.course_version and learner.course_version != pristine.course_version:
        desk.mends.append(f"made for course version {learner.course_version}")
    _retype(desk)
    _join(desk)
    _bind_by_decorator(desk)
    _bind_by_id_or_place(desk)
    parts = tuple(_parts(desk))
    return Merged(parts, {item: _bound(desk, item) for item in desk.asked}, tuple(dict.fromkeys(desk.mends)))


def _retype(desk: _Desk) -> None:
    """Make code of an answer whose cell was turned into text."""
    for place, cell in enumerate(desk.cells):
        if cell.kind == "code":
            continue
        known = [answer.id for answer in answers_in(cell.text) if answer.id in desk.asked]
        if known and parsed(cell.text) is not None:
            desk.cells[place] = replace(cell, kind="code")
            desk.mends.append(f"{', '.join(known)}: its cell had become text")


def _join(desk: _Desk) -> None:
    """Put together a cell that was split inside an answer."""
    place = 0
    while place < len(desk.cells) - 1:
        cell = desk.cells[place]
        found = answers_in(cell.text) if cell.kind == "code" else ()
        after = next((n for n in range(place + 1, len(desk.cells)) if desk.cells[n].text.strip()), None)
        if found and after is not None and desk.cells[after].kind == "code":
            rest = desk.cells[after]
            whole = f"{cell.text}\n{rest.text}"
            torn = parsed(cell.text) is None or (parsed(rest.text) is None and rest.text[:1].isspace())
            if torn and parsed(whole) is not None:
                desk.cells[place : after + 1] = [replace(cell, text=whole)]
                desk.mends.append(f"{found[-1].id}: its cell had been split")
                continue
        place += 1


def _bind_by_decorator(desk: _Desk) -> None:
    for item, (pristine_place, asked) in desk.asked.items():
        places = [
            place
            for place, cell in enumerate(desk.cells)
            if cell.kind == "code" and any(answer.id == item for answer in answers_in(cell.text))
        ]
        if not places:
            continue
        stub = desk.pristine.cells[pristine_place].text
        begun = [n for n in places if attempted(desk.cells[n].text, stub, asked.function)]
        desk.bound[item] = (begun or places)[-1]
        if len(places) > 1:
            desk.mends.append(f"{item}: answered {len(places)} times, the last one counts")
            desk.dropped |= set(places) - {desk.bound[item]}
    desk.dropped -= set(desk.bound.values())
    for place in sorted(set(desk.bound.values())):
        together = [item for item, where in desk.bound.items() if where == place]
        if len(together) > 1:
            desk.mends.append(f"{' and '.join(together)}: in one cell")
    order = [place for item, place in desk.bound.items()]
    if order != sorted(order):
        desk.mends.append("the answers stood in another order")


def _bind_by_id_or_place(desk: _Desk) -> None:
    for item, (pristine_place, asked) in desk.asked.items():
        if item in desk.bound:
            continue
        free = [
            place
            for place, cell in enumerate(desk.cells)
            if place not in desk.bound.values() and function_named(cell.text, asked.function) is not None
        ]
        by_id = [n for n in free if desk.cells[n].id == desk.pristine.cells[pristine_place].id != ""]
        low, high = _around(desk, pristine_place)
        by_place = [n for n in free if low < n < high and not answers_in(desk.cells[n].text)]
        if not (by_id or by_place):
            desk.mends.append(f"{item}: its cell is missing")
            continue
        place = (by_id or by_place)[-1]
        desk.bound[item] = place
        cell = desk.cells[place]
        desk.cells[place] = replace(cell, kind="code", text=decorated(cell.text, asked))
        desk.mends.append(f"{item}: found by its {'cell' if by_id else 'place'}, its decorator was put back")


def _around(desk: _Desk, pristine_place: int) -> tuple[int, int]:
    """The places in the learner's notebook of the nearest cells before and after that can be recognised."""
    anchors = _anchors(desk)
    where = {pristine: place for place, pristine in anchors.items()}
    before = [where[n] for n in range(pristine_place) if n in where]
    after = [where[n] for n in range(pristine_place + 1, len(desk.pristine.cells)) if n in where]
    return (before[-1] if before else -1), (after[0] if after else len(desk.cells))


def _anchors(desk: _Desk) -> dict[int, int]:
    """By place in the learner's notebook: the pristine cell that stands there."""
    answered = {desk.asked[item][0] for item in desk.bound}  # by another cell than the one of that id
    by_id = {
        cell.id: place for place, cell in enumerate(desk.pristine.cells) if cell.id and place not in answered
    }
    by_text = {cell.text.strip(): place for place, cell in enumerate(desk.pristine.cells)}
    items = {place: desk.asked[item][0] for item, place in desk.bound.items()}
    found: dict[int, int] = {}
    for place, cell in enumerate(desk.cells):
        anchor = items.get(place, by_text.get(cell.text.strip(), by_id.get(cell.id)))
        if anchor is not None:
            found[place] = anchor
    return found


def _parts(desk: _Desk) -> Iterator[Part]:
    answered = {desk.asked[item][0] for item in desk.bound}
    own = _own(desk)
    given: set[int] = set()
    yield from own.get(-1, ())
    for place, cell in enumerate(desk.pristine.cells):
        here = [item for item, (where, _) in desk.asked.items() if where == place]
        for item in here:
            source = desk.bound.get(item)
            if source is not None and source not in given:
                given.add(source)
                items = tuple(other for other, where in desk.bound.items() if where == source)
                yield Part(f"answer {' and '.join(items)}", "answer", desk.cells[source].text, items)
        if cell.kind == "code" and place not in answered:
            yield Part(cell.id or f"cell {place}", "pristine", cell.text, tuple(here))
        yield from own.get(place, ())


def _own(desk: _Desk) -> dict[int, list[Part]]:
    """The learner's own cells and changed cells of the course, by the pristine cell that they follow."""
    pristine_texts = {cell.text.strip() for cell in desk.pristine.cells}
    anchors = _anchors(desk)
    found: dict[int, list[Part]] = {}
    last = -1
    for place, cell in enumerate(desk.cells):
        last = anchors.get(place, last)
        used = place in desk.bound.values() or place in desk.dropped
        if used or cell.kind != "code" or not cell.text.strip() or cell.text.strip() in pristine_texts:
            continue
        found.setdefault(last, []).append(Part(f"own cell {place + 1}", "own", cell.text))
    return found


def _bound(desk: _Desk, item: str) -> Bound:
    pristine_place, asked = desk.asked[item]
    stub = desk.pristine.cells[pristine_place].text
    text = desk.cells[desk.bound[item]].text if item in desk.bound else stub
    return Bound(text, attempted(text, stub, asked.function))
