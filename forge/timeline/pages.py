"""A history as pages of patches: what the widget sends to the browser.

A page stands alone. It covers the prefixes from its `start` (a keyframe) to the start of the next page, and
holds, as JSON in gzip:

    start     the prefix of its keyframe
    states    how many of its events have a state: all, unless the reducer refused one
    words     all texts of the page, each once (`columns`)
    keys      the paths of the events
    fields    per key a column of what the events hold
    paths     the paths of the states, in the order in which they are shown
    keyframe  the paths' texts at the start, as entries of one column, null where a path has no value
    changes   per path a column of what the events set it to, null where one removed it
    names     what the events are called, as entries of one column
    marks     [[event, label, …], …]

Values of one path stand beside each other because that is half the bytes in gzip. All values are text
(`plain.show`).
"""

from __future__ import annotations

import gzip
import json
from typing import Any

from ..history import History, compare, flatten
from .columns import Columns, PathTable, Words
from .texts import path_text, show, visible

PAGE = 2_500
"""Events in a page: a tenth of a second to make, a few kB in gzip for the events of a run."""

BLOCK = 100
"""Events in a block: what is made at once for a prefix whose page is not there yet."""


def page_count(history: History[Any, Any], size: int = PAGE) -> int:
    """How many pages of `size` events a history has; an empty one has one page, for its initial state."""
    return max(1, -(-len(history) // size))


def build_page(history: History[Any, Any], number: int, size: int = PAGE, *, effort: int = 6) -> bytes:
    """Page `number`, counted from 0, of `size` events, packed with gzip's level `effort`.

    The same history gives the same bytes.
    """
    start = number * size
    stop = min(start + size, len(history))
    states = max(0, min(stop, history.last) - start)
    paths, keys = PathTable(), PathTable()
    changes, fields = Columns(), Columns()
    marks: list[list[int | str]] = []
    for place, event in enumerate(history.events[start:stop]):
        leaves = flatten(event)
        keys.see(leaves)
        for path, leaf in leaves.items():
            fields.put(path, place, show(leaf))
    before = keyframe = flatten(history.at(start)) if start <= history.last else {}
    paths.see(keyframe)
    for place, step in enumerate(history.walk(start, stop) if states else ()):
        after = flatten(step.after)
        changed = compare(before, after)
        paths.see(change.path for change in changed)
        for change in changed:
            changes.put(change.path, place, None if change.kind == "removed" else show(change.after))
        if labels := history.labels(step):
            marks.append([step.number, *map(visible, labels)])
        before = after
    path_order, key_order = paths.order(), keys.order()
    words = Words()
    page = {
        "start": start,
        "states": states,
        "keys": [path_text(path) for path in key_order],
        "fields": fields.encode(key_order, words),
        "paths": [path_text(path) for path in path_order],
        "keyframe": words.encode(show(keyframe[path]) if path in keyframe else None for path in path_order),
        "changes": changes.encode(path_order, words),
        "names": words.encode(visible(history.describe(n)) for n in range(start + 1, stop + 1)),
        "marks": marks,
        "words": words.all(),
    }
    data = json.dumps(page, ensure_ascii=False, separators=(",", ":")).encode()
    return gzip.compress(data, effort, mtime=0)
