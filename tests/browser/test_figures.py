"""The dial and the strip in a real browser, by keyboard and by mouse, on a page without a kernel."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from forge.figures import Dial, Frame, Segment, Strip
from forge.figures.figure import Figure

pytestmark = pytest.mark.browser

DIAL = Dial(
    "A save",
    [
        Frame("before the save", [("in place", "old", "✓ the old one loads"), ("temp", "old", "✓ loads")]),
        Frame(
            "", [("in place", '{"run', "✗ cut short", "write"), ("temp", "old", "✓ loads")], "One is lost."
        ),
        Frame(
            "", [("in place", '{"run‸', "✗ cut short", "write"), ("temp", "old", "✓ loads")], "One is lost."
        ),
        Frame("done", [("in place", "new", "✓ the new one loads"), ("temp", "new", "✓ loads")]),
    ],
    unit="writes",
    lead="the plug is pulled after",
)
STRIP = Strip(
    "Recovery",
    [
        Segment("0", "holds", caption="It recovers."),
        Segment("100", "broken", [("event", "101"), ("write_allowed", "true")], "It differs."),
        Segment("200", "changed"),
        Segment("300", "notyet"),
    ],
    caption="Four keyframes.",
)

SHOW = """async ([source, content, at]) => {
  const widget = (await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })))).default;
  const values = { content, at };
  const heard = new Map();
  window.model = {
    get: (name) => values[name],
    set: (name, value) => { values[name] = value; },
    on: (name, call) => heard.set(name, call),
    off: (name, call) => heard.get(name) === call && heard.delete(name),
    change: (value) => { values.at = value; heard.get("change:at")?.(); },
    heard,
  };
  window.keys = [];
  document.addEventListener("keydown", (event) => window.keys.push(event.key));
  window.remove = widget.render({ model: window.model, el: document.querySelector("main") });
}"""


def show(page: Page, figure: Figure, width: int = 900) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.set_content(f"<style>{figure._css}</style><main></main>")
    page.evaluate(SHOW, [figure._esm, json.loads(json.dumps(figure.content)), figure.at])


def test_the_dial_is_moved_by_the_keys_of_a_slider(page: Page) -> None:
    show(page, DIAL)
    dial = page.locator(".forge-dial")
    expect(dial).to_have_attribute("data-value", "0")
    page.get_by_label("the plug is pulled after").focus()
    for key, value in [
        ("ArrowRight", "1"),
        ("ArrowUp", "2"),
        ("ArrowLeft", "1"),
        ("End", "3"),
        ("Home", "0"),
    ]:
        page.keyboard.press(key)
        expect(dial).to_have_attribute("data-value", value)
        expect(page.get_by_role("slider")).to_have_value(value)


def test_the_dial_is_moved_by_the_mouse(page: Page) -> None:
    show(page, DIAL)
    box = page.get_by_role("slider").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.66, box["y"] + box["height"] / 2)
    expect(page.locator(".forge-dial")).to_have_attribute("data-value", "2")
    page.mouse.down()
    page.mouse.move(box["x"] + 4, box["y"] + 12, steps=4)
    page.mouse.up()
    expect(page.locator(".forge-dial")).to_have_attribute("data-value", "0")


def test_the_dial_shows_what_is_so_at_its_place_and_says_it(page: Page) -> None:
    show(page, DIAL)
    page.get_by_role("slider").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    block = page.locator("[data-block='0']")
    expect(block).to_have_attribute("data-mark", "broken")
    expect(block.locator("[data-part=verdict]")).to_have_text("cut short")
    expect(block.locator("[data-part=note]")).to_have_text("write")
    expect(block.locator("[data-part=text] .cut svg.cross")).to_be_visible()
    expect(page.locator("[data-part=caption]")).to_have_text("One is lost.")
    expect(page.locator("[data-part=value]")).to_have_text("2 of 3 writes")
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "2 of 3 writes")
    expect(page.locator("[aria-live]")).to_have_text("in place: cut short; temp: loads")
    page.keyboard.press("Home")
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "0 of 3 writes: before the save")


def test_the_dial_keeps_its_height_from_place_to_place(page: Page) -> None:
    show(page, Dial("", [Frame("", [("a", "one\n" * 9, "✓")]), Frame("", [("a", "", "✗")])]))
    before = page.locator(".forge-dial").bounding_box()
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".forge-dial").bounding_box() == before


def test_the_strip_is_one_stop_of_the_tab_key_and_moved_by_arrows(page: Page) -> None:
    show(page, STRIP)
    strip = page.locator(".forge-strip")
    expect(strip).to_have_attribute("data-value", "1")
    page.keyboard.press("Tab")
    for key, value in [
        ("ArrowRight", 2),
        ("ArrowDown", 3),
        ("End", 3),
        ("ArrowUp", 2),
        ("Home", 0),
        ("ArrowLeft", 0),
    ]:
        page.keyboard.press(key)
        expect(strip).to_have_attribute("data-value", str(value))
        expect(page.get_by_role("radio").nth(value)).to_be_focused()
    expect(page.get_by_role("radio", checked=True)).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.locator("[role=radio]:focus")).to_have_count(0)


def test_the_strip_is_moved_by_the_mouse_and_tells_the_chosen_segment(page: Page) -> None:
    show(page, STRIP)
    page.get_by_role("radio", name="200, changed").click()
    expect(page.locator(".forge-strip")).to_have_attribute("data-value", "2")
    page.get_by_role("radio", name="100, broken").click()
    details = page.locator("[data-part=details]")
    expect(details).to_have_attribute("data-mark", "broken")
    expect(details.get_by_role("row")).to_have_text(["event101", "write_allowedtrue"])
    expect(details.locator("[data-part=caption]")).to_have_text("It differs.")
    expect(page.locator("[aria-live]")).to_have_text("event 101; write_allowed true; It differs.")


@pytest.mark.parametrize("figure", [DIAL, STRIP], ids=["dial", "strip"])
def test_no_plain_key_reaches_the_notebook_and_every_other_does(page: Page, figure: Figure) -> None:
    show(page, figure)
    page.keyboard.press("Tab")
    for key in ("d", "d", "ArrowRight", "Escape", "x", "Enter", " ", "Shift+D"):
        page.keyboard.press(key)
    assert page.evaluate("window.keys") == ["Tab"]
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Control+s")
    assert page.evaluate("window.keys.slice(1)") == ["Enter", "Control", "s"]


@pytest.mark.parametrize("figure", [DIAL, STRIP], ids=["dial", "strip"])
def test_a_figure_follows_the_kernel_and_can_be_taken_away(page: Page, figure: Figure) -> None:
    show(page, figure)
    page.evaluate("window.model.change(3)")
    expect(page.locator(".forge-figure")).to_have_attribute("data-value", "3")
    page.evaluate("window.remove()")
    expect(page.locator(".forge-figure")).to_have_count(0)
    assert page.evaluate("window.model.heard.size") == 0


@pytest.mark.parametrize("figure", [DIAL, STRIP], ids=["dial", "strip"])
def test_nothing_is_cut_off_at_600_pixels_and_at_half_of_that(page: Page, figure: Figure) -> None:
    for width in (600, 300):
        show(page, figure, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_strip_of_many_segments_goes_on_in_the_next_row(page: Page) -> None:
    show(page, Strip("", [Segment(str(n), "holds") for n in range(0, 10_000, 100)]))
    assert page.evaluate("document.documentElement.scrollWidth") <= 900
    first, last = (page.get_by_role("radio").nth(n).bounding_box() for n in (0, 99))
    assert first is not None
    assert last is not None
    assert last["y"] > first["y"]
    assert last["width"] == pytest.approx(first["width"], abs=1)
