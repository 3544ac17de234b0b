"""The replay slider: a widget that shows a history at any prefix.

The reducer runs here. The browser gets patches and moves between prefixes by itself, so a move asks nothing
of the kernel and works after the kernel has gone. Of a long history the first and the last page are sent at
once; the browser asks for the others, one at a time.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ..errors import InvalidValue
from ..history import History
from ..lines import ScanEnd
from ..wording import show
from .dates import Rectangle, dates_of, pack_dates
from .export import Progress, write_html
from .family import timeline_script, timeline_style
from .pages import BLOCK, PAGE, build_page, page_count
from .plain import html_table, static, text_table
from .texts import visible
from .trust import Trust, scan_end, stop_of


class Timeline(anywidget.AnyWidget):
    """A history, to be moved through by mouse and keyboard.

    `at` is the prefix where it opens: the last one unless given. Setting `timeline.at` moves every view;
    moving a view in the browser does not change it here. `seen` is where a view was moved to last, for a page
    that is loaded anew. `title` stands above the controls. `trust` is the
    `scan()` of the log that the events were read from: the timeline then shows up to which record the chain
    holds, and no state behind it. `dates` are what is known of business dates: a second slider then moves
    the date, and opens at `date`.

    Without a front end it is a table of the last prefix and its events, as text and as plain HTML.
    """

    _esm = timeline_script()
    _css = timeline_style()

    head = traitlets.Dict().tag(sync=True)
    pages = traitlets.Dict().tag(sync=True)
    at = traitlets.Int().tag(sync=True)
    seen = traitlets.Int(None, allow_none=True).tag(sync=True)
    dates = traitlets.Bytes().tag(sync=True)

    def __init__(
        self,
        history: History[Any, Any],
        *,
        at: int | None = None,
        title: str = "",
        trust: Trust | None = None,
        dates: Iterable[Rectangle] = (),
        date: datetime.date | None = None,
    ) -> None:
        self.title = title
        self._made: dict[int, bytes] = {}
        self._take(history, trust, dates, date)
        super().__init__(
            head=self._head(edition=0),
            pages=self._ends(),
            at=len(history) if at is None else at,
            dates=pack_dates(self.second),
        )
        self.on_msg(self._hear)

    def show(
        self,
        history: History[Any, Any],
        *,
        trust: Trust | None = None,
        dates: Iterable[Rectangle] = (),
        date: datetime.date | None = None,
    ) -> None:
        """Show another history in the place of this one, such as the same run some events later.

        The slider's end moves with it; where the learner is does not, as long as the history reaches there.
        """
        before, old = self.history, self.head
        self._take(history, trust, dates, date)
        head = self._head(edition=old["edition"] + 1)
        if history.extends(before):
            head["kept"] = min(old["last"], head["last"]) // PAGE
        self._made = {number: page for number, page in self._made.items() if number < head["kept"]}
        with self.hold_sync():
            if self.at > len(history):
                self.at = len(history)
            self.head = head
            self.pages = self._ends()
            self.dates = pack_dates(self.second)

    def to_html(self, path: str | PathLike[str], *, progress: Progress | None = None) -> Path:
        """Write the timeline as one HTML file that works offline, and return its path.

        Every page of the history is made; `progress(done, total)` is told so, in events.
        """
        return write_html(
            path, self.history, self.head, at=self.at, dates=self.second, trust=self.trust, progress=progress
        )

    def summary(self) -> list[str]:
        """In lines: how many events there are, up to where the log holds, where the states end and why."""
        count = len(self.history)
        lines = [f"{self.title or 'Timeline'}, {count:,} {'event' if count == 1 else 'events'}"]
        if self.trust:
            lines.append(
                f"  {'◐' if self.trust.error else '✓'} the chain holds up to record {self.trust.count:,}"
            )
        if stop := stop_of(self.history, self.trust):
            lines.append(f"  ✗ {stop.title}: {visible(stop.reason)}")
        return lines

    def _take(
        self,
        history: History[Any, Any],
        trust: Trust | None,
        dates: Iterable[Rectangle],
        date: datetime.date | None,
    ) -> None:
        """Take all or nothing: what is refused leaves the timeline as it was."""
        second = dates_of(dates, len(require_history(history)), date)
        self.trust: ScanEnd | None = scan_end(trust)
        self.history: History[Any, Any] = history
        self.second = second

    def _head(self, edition: int) -> dict[str, Any]:
        """With the size of a page, and how many pages are still those of the edition before."""
        head = head_of(self.history, self.trust, self.title)
        return {**head, "page": PAGE, "edition": edition, "kept": 0}

    def _ends(self) -> dict[str, bytes]:
        """The pages that are sent at once."""
        return {str(number): self._page(number) for number in (0, page_count(self.history) - 1)}

    def _page(self, number: int) -> bytes:
        if number not in self._made:
            self._made[number] = build_page(self.history, number)
        return self._made[number]

    def _hear(self, _widget: object, said: object, _buffers: object) -> None:
        """Send a page, or a block of few events, that a browser asks for, or note where a view is."""
        told = said if isinstance(said, dict) else {}
        number, size, seen = told.get("page"), told.get("size"), told.get("seen")
        if type(seen) is int:
            self.seen = seen
        if size not in (PAGE, BLOCK) or type(number) is not int:
            return
        if 0 <= number < page_count(self.history, size):
            edition = self.head["edition"]
            page = self._page(number) if size == PAGE else build_page(self.history, number, size)
            self.send({"page": number, "size": size, "edition": edition}, [page])

    @traitlets.observe("at")
    def _move(self, _change: traitlets.Bunch) -> None:
        self.seen = None

    @traitlets.validate("at")
    def _check_at(self, proposal: traitlets.Bunch) -> int:
        at: int = proposal["value"]
        if not 0 <= at <= len(self.history):
            raise InvalidValue(
                "no such prefix",
                f"the history has the prefixes 0 to {len(self.history)}, found {show(at)}.",
                path="at",
                expected=f"0 to {len(self.history)}",
                found=show(at),
            )
        return at

    def __repr__(self) -> str:
        return f"Timeline(events={len(self.history)}, at={self.at})"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        content = static(self.history, self.title, self.trust, self.second)
        return {**data, "text/plain": text_table(content), "text/html": html_table(content)}, metadata


def require_history(history: object) -> History[Any, Any]:
    """The history, or `InvalidValue` for anything else."""
    if isinstance(history, History):
        return history
    raise InvalidValue(
        "Timeline was refused",
        f"expected a History, found {show(history)}.",
        "Make one: History(events, reducer).",
        path="history",
        expected="a History",
        found=show(history),
    )


def head_of(history: History[Any, Any], trust: ScanEnd | None, title: str) -> dict[str, Any]:
    """What a view needs to know before any page.

    `count` events; states up to prefix `last`; a slider up to `end`; where the states end early, `stop` says
    why; of a log, `trust` says up to which record it holds.
    """
    stop = stop_of(history, trust)
    return {
        "title": visible(title),
        "count": len(history),
        "last": stop.number - 1 if stop else len(history),
        "end": stop.end if stop else len(history),
        "stop": {
            "number": stop.number,
            "mark": stop.mark,
            "title": stop.title,
            "reason": visible(stop.reason),
        }
        if stop
        else None,
        "trust": {"count": trust.count, "broken": trust.error is not None} if trust else None,
    }
