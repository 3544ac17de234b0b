"""The replay slider: a widget that shows a history at any prefix.

The reducer runs here, once. The browser gets patches and moves between prefixes by itself, so a move asks
nothing of the kernel and works after the kernel has gone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ..errors import InvalidValue
from ..history import History
from ..wording import show
from .family import with_family
from .pages import PAGE, build_page, page_count
from .plain import html_table, static, text_table, visible

HERE = Path(__file__).parent


class Timeline(anywidget.AnyWidget):
    """A history, to be moved through by mouse and keyboard.

    `at` is the prefix where it opens: the last one unless given. Setting `timeline.at` moves every view;
    moving a view in the browser does not change it here. `title` stands above the controls.

    Without a front end it is a table of the last prefix and its events, as text and as plain HTML.
    """

    _esm = with_family(HERE / "timeline.js")
    _css = with_family(HERE / "timeline.css")

    head = traitlets.Dict().tag(sync=True)
    pages = traitlets.List(traitlets.Bytes()).tag(sync=True)
    at = traitlets.Int().tag(sync=True)

    def __init__(self, history: History[Any, Any], *, at: int | None = None, title: str = "") -> None:
        if not isinstance(history, History):
            raise InvalidValue(
                "Timeline was refused",
                f"expected a History, found {show(history)}.",
                "Make one: History(events, reducer).",
                path="history",
                expected="a History",
                found=show(history),
            )
        self.history = history
        self.title = title
        super().__init__(
            head={
                "title": visible(title),
                "count": len(history),
                "last": history.last,
                "page": PAGE,
                "refused": visible(history.refusal.reason) if history.refusal else "",
            },
            pages=[build_page(history, number) for number in range(page_count(history))],
            at=len(history) if at is None else at,
        )

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

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        content = static(self.history, self.title)
        data, metadata = bundle
        return {**data, "text/plain": text_table(content), "text/html": html_table(content)}, metadata
