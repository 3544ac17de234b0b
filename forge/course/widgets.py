"""Controls in a notebook. Each carries its content as HTML and text, for when no front end draws it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import ipywidgets as ipw

from .panels import Panel, Panels

Shown = Panel | Panels

# Aligned with the text of the panel above it.
_BESIDE = ipw.Layout(width="max-content", margin="4px 0 4px 17px")


class Control(ipw.VBox):  # type: ignore[misc]
    """Widgets in a column, with what to show where widgets do not run."""

    def __init__(self, children: Sequence[ipw.Widget], still: Shown) -> None:
        super().__init__(list(children), layout=ipw.Layout(align_items="flex-start"))
        self._still = still

    def _repr_mimebundle_(self, **options: Any) -> Any:
        live = super()._repr_mimebundle_(**options)
        return {**(live or {}), **self._still._repr_mimebundle_()}

    def __repr__(self) -> str:
        return repr(self._still)


def html(shown: Shown) -> ipw.HTML:
    """A panel as a widget, so that a control can replace it."""
    return ipw.HTML(shown._repr_mimebundle_()["text/html"])


def choice(question: str, options: dict[str, str], call: str, commit: Callable[[str], Shown]) -> Control:
    """A question with one choice to commit to, here or by the `call` that is shown.

    `commit` gets the key and returns what to show afterwards.
    """
    advice = f"Choose one, or write `{call}` with your letter."
    still = Panel("you", question, points=list(options.items()), next=advice)
    radio = ipw.RadioButtons(
        options=[(f"{key}. {text}", key) for key, text in options.items()],
        value=None,
        layout=ipw.Layout(width="auto", margin="0 0 0 14px"),
    )
    button = ipw.Button(
        layout=_BESIDE, description="Commit", disabled=True, tooltip="Keep this choice and show the answer"
    )
    below = ipw.HTML()
    control = Control([html(Panel("you", question, next=advice)), radio, button, below], still)

    def chosen(_change: object) -> None:
        button.disabled = radio.value is None

    def committed(_button: object) -> None:
        radio.disabled = button.disabled = True
        below.value = commit(radio.value)._repr_mimebundle_()["text/html"]

    radio.observe(chosen, "value")
    button.on_click(committed)
    return control


def one_by_one(
    show: Callable[[int], Panel], opened: int, total: int, opening: Callable[[int], None]
) -> Control:
    """Texts that open one at a time, `opened` of `total` already open. `opening` is told each new number."""
    count = opened
    texts = html(show(count))
    button = ipw.Button(layout=_BESIDE)

    def label() -> None:
        button.description = f"Open hint {count + 1} of {total}" if count < total else "All hints are open"
        button.disabled = count >= total

    def pressed(_button: object) -> None:
        nonlocal count
        count += 1
        texts.value = show(count).html()
        label()
        opening(count)

    label()
    button.on_click(pressed)
    return Control([texts, button], show(opened))


def checklist(
    title: Panel, items: Sequence[str], marked: Sequence[int], mark: Callable[[tuple[int, ...]], None]
) -> Control:
    """Points to tick off, numbered from 1. `mark` is told the ticked numbers after each change."""
    numbers = range(1, len(items) + 1)
    points = [(str(number), text) for number, text in zip(numbers, items, strict=True)]
    boxes = [
        ipw.Checkbox(
            value=number in marked,
            description=f"{number} is in mine",
            indent=False,
            layout=ipw.Layout(width="max-content", margin="0 24px 0 0"),
        )
        for number in numbers
    ]

    def changed(_change: object) -> None:
        mark(tuple(number for number, box in zip(numbers, boxes, strict=True) if box.value))

    for box in boxes:
        box.observe(changed, "value")
    row = ipw.HBox(boxes, layout=ipw.Layout(flex_flow="row wrap", margin="0 0 0 17px"))
    still = [
        (f"{'✓' if number in marked else '○'} {number}", text) for number, text in enumerate(items, start=1)
    ]
    live = Panel(title.mark, title.title, title.meta, points=points, next=title.next)
    return Control(
        [html(live), row], Panel(title.mark, title.title, title.meta, points=still, next=title.next)
    )


def pick(options: dict[str, Path], verb: str, empty: Panel, act: Callable[[Path], Panel]) -> Control:
    """A list of files and a button; `act` gets the chosen file and returns what to show."""
    if not options:
        return Control([html(empty)], empty)
    choose = ipw.Dropdown(options=list(options.items()), layout=ipw.Layout(width="auto"))
    button = ipw.Button(description=verb)
    below = ipw.HTML()

    def pressed(_button: object) -> None:
        below.value = act(choose.value).html()

    button.on_click(pressed)
    still = Panel("you", f"{verb} one of these", facts=[("file", name) for name in options])
    return Control([ipw.HBox([choose, button]), below], still)
