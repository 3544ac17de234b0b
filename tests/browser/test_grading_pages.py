"""The pages of grading, opened from disk in a real browser: on a desk, on a phone, in the dark."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from forge.grading.class_page import class_page
from forge.grading.feedback import page as feedback_page
from forge.grading.results import CaseResult, ItemResult, Result

from ..grading.test_tables_and_pages import SCRIPT, a_class, a_result

pytestmark = pytest.mark.browser

LONG = "reason_" * 40
SIZES = {"desk": (1280, "light"), "phone": (375, "light"), "dark": (1280, "dark")}


def a_long_result() -> Result:
    """Nothing in it breaks by itself: long code, a long name of a file, a long reason."""
    case = CaseResult(says="a gap", right=False, expected="refused with ValueError", seen="accepted")
    item = ItemResult(
        id="reject_a_gap",
        kind="exercise",
        title="Reject a gap",
        points=0.0,
        out_of=10.0,
        verdict="fail",
        reason=LONG,
        cases=(case,) * 8,
        hint="Look at `state.version`.",
        answer=f"def apply_event(state, event):\n    return '{SCRIPT}{LONG}'",
        recorded=(f'{{"returned": "{LONG}"}}',) * 8,
    )
    words = {"prediction": "a", "explanation": f"{LONG}\n\nBecause.", "notebook": f"{LONG}.ipynb"}
    return a_result(items=(item,), mends=(LONG,), covered=(1,), **words)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    result = a_long_result()
    inputs = {(result.stage, "reject_a_gap"): [f'{{"state": "{LONG}"}}'] * 8}
    texts = {
        "feedback": feedback_page("Zoë Ångström", [result], [(LONG, "the file is empty")], inputs),
        "class": class_page([*a_class(), result]),
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in texts}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["feedback", "class"])
def test_a_page_fits_its_window_asks_for_nothing_and_runs_nothing(
    name: str, size: str, pages: dict[str, Path], browser: Browser
) -> None:
    width, scheme = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.goto(pages[name].as_uri())
    for details in page.locator("details").all():
        details.locator("summary").click()
    assert (asked, said) == ([pages[name].as_uri()], [])
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert (brightness(page, "backgroundColor") < brightness(page, "color")) == (scheme == "dark")
    assert outside(page) == []
    if folder := os.environ.get("FORGE_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"grading-{name}-{size}.png")
    context.close()


def brightness(page: Page, what: str) -> float:
    """The sum of the three colours of the body's text or ground."""
    script = "what => getComputedStyle(document.body)[what].match(/\\d+/g).slice(0, 3).map(Number)"
    return sum(page.evaluate(script, what))


def outside(page: Page) -> list[str]:
    """What stands beyond the edge of the window, but for code, which is scrolled inside its box."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("body *:not(pre *)")]
          .filter((node) => node.getBoundingClientRect().right > innerWidth + 1)
          .map((node) => node.outerHTML.slice(0, 80))"""
    )
    return found
