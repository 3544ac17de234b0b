"""A history as pages of patches: what the widget sends to the browser.

A page stands alone. It covers the prefixes from its `start` (a keyframe) to the start of the next page, and
holds, as JSON in gzip:

    start     the prefix of its keyframe
    states    how many of its events have a state: all, unless the reducer refused one
    paths     the paths of the states, in the order in which they are shown
    keyframe  per path its text at the start, null where it has no value
    changes   per path a column of what the events set it to, null where one removed it
    keys      the paths of the events
    fields    per key a column of what the events hold
    names     per event what it is called
    marks     [[event, label, …], …]

A column is [gaps, texts]: the text belongs to the event that many places after the one before. Values of one
path stand beside each other because that is half the bytes in gzip. All values are text (`plain.show`).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from typing import Any

from ..history import History, Path, compare, flatten
from .plain import path_text, show, visible

PAGE = 10_000
"""Events in a page: some 100 kB in gzip for the events of a run."""


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


class Columns:
    """Texts by path and by the place of their event."""

    def __init__(self) -> None:
        self._columns: dict[Path, tuple[list[int], list[str | None]]] = {}
        self._last: dict[Path, int] = {}

    def put(self, path: Path, place: int, text: str | None) -> None:
        """Set the text of a path at a place, which is after every place put for that path before."""
        gaps, texts = self._columns.setdefault(path, ([], []))
        gaps.append(place - self._last.get(path, 0))
        texts.append(text)
        self._last[path] = place

    def in_order(self, paths: list[Path]) -> list[tuple[list[int], list[str | None]]]:
        """The columns of the paths, empty where nothing was put."""
        return [self._columns.get(path, ([], [])) for path in paths]


def page_count(history: History[Any, Any], size: int = PAGE) -> int:
    """How many pages of `size` events a history has; an empty one has one page, for its initial state."""
    return max(1, -(-len(history) // size))


def build_page(history: History[Any, Any], number: int, size: int = PAGE) -> bytes:
    """Page `number`, counted from 0, of `size` events. The same history gives the same bytes."""
    start = number * size
    stop = min(start + size, len(history))
    states = max(0, min(stop, history.last) - start)
    paths, keys = PathTable(), PathTable()
    changes, fields = Columns(), Columns()
    marks: list[list[int | str]] = []
    before = keyframe = flatten(history.at(start)) if start <= history.last else {}
    paths.see(keyframe)
    for place, step in enumerate(history.walk(start, stop) if states else ()):
        after = flatten(step.after)
        for change in compare(before, after):
            paths.see([change.path])
            changes.put(change.path, place, None if change.kind == "removed" else show(change.after))
        if labels := history.labels(step):
            marks.append([step.number, *map(visible, labels)])
        before = after
    for place, event in enumerate(history.events[start:stop]):
        leaves = flatten(event)
        keys.see(leaves)
        for path, leaf in leaves.items():
            fields.put(path, place, show(leaf))
    path_order, key_order = paths.order(), keys.order()
    page = {
        "start": start,
        "states": states,
        "paths": [path_text(path) for path in path_order],
        "keyframe": [show(keyframe[path]) if path in keyframe else None for path in path_order],
        "changes": changes.in_order(path_order),
        "keys": [path_text(path) for path in key_order],
        "fields": fields.in_order(key_order),
        "names": [visible(history.describe(n)) for n in range(start + 1, stop + 1)],
        "marks": marks,
    }
    data = json.dumps(page, ensure_ascii=False, separators=(",", ":")).encode()
    return gzip.compress(data, 6, mtime=0)
