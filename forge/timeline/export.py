"""A timeline as one HTML file that needs nothing else: no kernel, no network, no other file."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from ..history import History
from ..lines import ScanEnd
from ..storage import atomic_replace
from .dates import Dates, pack_dates
from .family import page_script, timeline_style
from .pages import build_page, page_count
from .plain import html_table, static
from .texts import visible

FILE_PAGE = 10_000
"""Events in a page of a file: everything is there at once, and larger pages are smaller together."""

Progress = Callable[[int, int], object]
"""Told how many events of how many are written."""

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ max-width: 1200px; margin: 0 auto; padding: 12px 20px; background: light-dark(#fff, #111); }}
h1 {{ position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }}
{style}
</style>
</head>
<body>
<main><h1>{title}</h1><noscript>{table}</noscript></main>
<script type="application/json" id="timeline-data">{data}</script>
<script type="module">
{script}
</script>
</body>
</html>
"""


def write_html(
    path: str | PathLike[str],
    history: History[Any, Any],
    head: dict[str, Any],
    *,
    at: int,
    dates: Dates | None = None,
    trust: ScanEnd | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write the page of a history to `path`, all or nothing, and return the path.

    `progress(done, total)` is called after each page with numbers of events.
    """
    pages = {}
    count = len(history)
    for number in range(page_count(history, FILE_PAGE)):
        packed = build_page(history, number, FILE_PAGE, effort=9)
        pages[str(number)] = base64.b64encode(packed).decode("ascii")
        if progress:
            progress(min(count, (number + 1) * FILE_PAGE), count)
    data = {
        "head": {**head, "page": FILE_PAGE, "edition": 0, "kept": 0},
        "pages": pages,
        "dates": base64.b64encode(pack_dates(dates)).decode("ascii"),
        "at": at,
    }
    title = visible(head["title"]) or "Timeline"
    page = _PAGE.format(
        title=escape(title),
        style=timeline_style(),
        table=html_table(static(history, head["title"], trust, dates)),
        # In JSON a "<" stands only in a text, where its escape means the same and ends no script.
        data=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        script=page_script(),
    )
    target = Path(path)
    atomic_replace(target, page.encode("utf-8"))
    return target
