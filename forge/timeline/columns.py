"""Texts by path and by event, written so that gzip finds little left to do.

All texts of a page stand once in one list of words. A column names, per entry, the text of one path:

    d      the word `d` places after (or, below 0, before) the word that the column named last
    true   the text before it, with its last number one higher: "run-1-e9" and then "run-1-e10"
    null   no text: the value was removed

A column that copies another, such as the last event's id in a state, names words one after the other, which
costs nothing. Numbers that count up cost nothing either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..history import Path

Entry = int | bool | None
Column = tuple[list[int], list[Entry]]
"""The places of the entries, each as its distance from the one before, and the entries."""

_LAST_NUMBER = re.compile(r"([0-9]{1,15})([^0-9]*)\Z")
_COUNTABLE = 100
"""Characters of a text beyond which its number is not looked for."""


def following(text: str) -> str | None:
    """The text with its last number one higher, as wide as before; None when it holds no number."""
    found = _LAST_NUMBER.search(text) if len(text) <= _COUNTABLE else None
    if not found:
        return None
    digits = found[1]
    return f"{text[: found.start()]}{str(int(digits) + 1).zfill(len(digits))}{found[2]}"


class Words:
    """All texts of a page, each once, in the order in which they are first named."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def all(self) -> list[str]:
        """The words, by their number."""
        return list(self._places)

    def encode(self, texts: Iterable[str | None]) -> list[Entry]:
        """A column's texts as entries."""
        entries: list[Entry] = []
        places, last = self._places, 0
        before: str | None = None
        for text in texts:
            if text is None:
                entries.append(None)
            else:
                place = places.get(text)
                if place is None and before is not None and following(before) == text:
                    entries.append(True)
                else:
                    if place is None:
                        place = places[text] = len(places)
                    entries.append(place - last)
                    last = place
            before = text
        return entries


class Columns:
    """Texts by path and by the place of their event."""

    def __init__(self) -> None:
        self._columns: dict[Path, tuple[list[int], list[str | None]]] = {}
        self._last: dict[Path, int] = {}

    def put(self, path: Path, place: int, text: str | None) -> None:
        """Set the text of a path at a place, which is after every place put for that path before."""
        column = self._columns.get(path)
        if column is None:
            column = self._columns[path] = ([], [])
        column[0].append(place - self._last.get(path, 0))
        column[1].append(text)
        self._last[path] = place

    def encode(self, paths: Iterable[Path], words: Words) -> list[Column]:
        """The columns of the paths, empty where nothing was put."""
        found = (self._columns.get(path, ([], [])) for path in paths)
        return [(gaps, words.encode(texts)) for gaps, texts in found]


class PathTable:
    """Paths in the order of their first appearance, each beside the paths of the same parent."""

    def __init__(self) -> None:
        self._tree: dict[str | int, Any] = {}
        self._seen: set[Path] = set()

    def see(self, paths: Iterable[Path]) -> None:
        """Take up the paths that are new."""
        for path in paths:
            if path not in self._seen:
                self._seen.add(path)
                node = self._tree
                for part in path:
                    node = node.setdefault(part, {})

    def order(self) -> list[Path]:
        """All paths, in the order in which they are shown."""
        found: list[Path] = []
        stack: list[tuple[Path, dict[str | int, Any]]] = [((), self._tree)]
        while stack:
            path, node = stack.pop()
            if path in self._seen:
                found.append(path)
            stack.extend(((*path, part), child) for part, child in reversed(node.items()))
        return found
