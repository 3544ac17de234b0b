"""The timeline in a real browser, without a kernel: the exported page, opened from disk, no network."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from forge.history import History
from forge.log import ChainLog
from forge.state.marks import run_marks
from forge.state.models import EventKind, apply_event
from forge.timeline import Rectangle, Timeline
from forge.timeline.export import FILE_PAGE
from tests.browser.walks import cut_off
from tests.timeline.runs import event, gapped_run, long_run, short_run

pytestmark = pytest.mark.browser

Open = Callable[[Timeline], Page]
ROOT = ".forge-timeline"
WRONG = "<script>window.wrong = true</script><img src=x onerror='window.wrong = true'>"


@pytest.fixture
def show(page: Page, tmp_path: Path) -> Open:
    """Open a timeline's exported page, and let no other address be asked for."""
    page.context.set_offline(True)

    def opened(timeline: Timeline) -> Page:
        page.goto(timeline.to_html(tmp_path / "timeline.html").as_uri())
        expect(page.locator(ROOT)).to_be_visible()
        return page

    return opened


def at(page: Page, prefix: int) -> None:
    expect(page.locator(ROOT)).to_have_attribute("data-prefix", str(prefix))


def state(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("[data-part=state] tr[data-path]")]
          .filter((row) => row.dataset.change !== "removed")
          .map((row) => [row.dataset.path, row.querySelector("[data-part=is]").textContent]))"""
    )
    return found


def mixed_run() -> History[Any, Any]:
    kinds = {5: EventKind.WRITE_PERMISSION_REVOKED, 12: EventKind.RUN_COMPLETED}
    events = [event(1, EventKind.RUN_CREATED)]
    for n in range(2, 13):
        kind = kinds.get(n, EventKind.STEP_STARTED)
        payload = {"step": f"step {n}"} if n not in kinds else {}
        events.append(event(n, kind, **payload))
    return History(events, apply_event, marks=run_marks)


def test_every_way_to_move_leads_to_the_state_it_names(show: Open) -> None:
    history = mixed_run()
    page = show(Timeline(history, at=4))
    at(page, 4)
    slider = page.get_by_role("slider")
    for name, prefix in [("forward", 5), ("last", 12), ("back", 11), ("first", 0), ("forward", 1)]:
        page.get_by_role("button", name=name, exact=True).click()
        at(page, prefix)
    for key, prefix in [("ArrowRight", 2), ("End", 12), ("PageDown", 10), ("Home", 0), ("ArrowUp", 1)]:
        slider.press(key)
        at(page, prefix)
    page.get_by_label("prefix", exact=True).fill("7")
    page.keyboard.press("Enter")
    at(page, 7)
    page.get_by_role("option", name="8 step_started step 8").click()
    at(page, 8)
    page.locator("[data-mark='5'] text").click()
    at(page, 5)
    assert state(page)["version"] == "5"
    assert state(page)["write_allowed"] == "false"
    expect(slider).to_have_attribute("aria-valuetext", "after 5 of 12 events: write_permission_revoked")
    expect(page.locator("[aria-live]")).to_contain_text("write_allowed false, was true")


def test_a_typed_prefix_is_confirmed_by_enter_or_tab_and_dropped_by_a_click_elsewhere(show: Open) -> None:
    page = show(Timeline(mixed_run(), at=4))
    typed = page.get_by_label("prefix", exact=True)
    for text, key, prefix in [("7", "Enter", 7), ("9", "Tab", 9), ("99", "Enter", 12), ("x", "Enter", 12)]:
        typed.fill(text)
        typed.press(key)
        at(page, prefix)
    typed.fill("2")
    page.get_by_role("option", name="11 step_started step 11").click()
    at(page, 11)
    expect(typed).to_have_value("11")


def test_what_is_being_typed_is_left_alone_while_pages_are_opened(show: Open) -> None:
    page = show(Timeline(long_run(3 * FILE_PAGE)))
    typed = page.get_by_label("prefix", exact=True)
    typed.fill("15")
    expect(page.locator(ROOT)).to_have_attribute("data-loaded", "3/3")
    expect(typed).to_have_value("15")


def test_play_goes_to_the_end_and_stops(show: Open) -> None:
    page = show(Timeline(short_run(), at=1))
    root = page.locator(ROOT)
    for _ in range(3):
        page.get_by_role("button", name="speed").click()
    page.get_by_role("slider").press(" ")
    at(page, 3)
    expect(root).not_to_have_attribute("data-playing", "")
    page.get_by_role("button", name="play").click()
    expect(root).to_have_attribute("data-playing", "")
    at(page, 3)
    expect(root).not_to_have_attribute("data-playing", "")


def test_the_next_event_of_a_kind_with_a_mark_or_with_a_text_is_found(show: Open) -> None:
    page = show(Timeline(mixed_run(), at=2))
    kind, text = page.get_by_label("kind of event to find"), page.get_by_label("text to find in an event")
    expect(kind.locator("option")).to_have_count(7)
    kind.select_option("write_permission_revoked")
    page.get_by_role("button", name="next").click()
    at(page, 5)
    page.get_by_role("button", name="next").click()
    expect(page.locator("[data-part=found]")).to_have_text("none after event 5")
    kind.select_option("■ completed")
    page.get_by_role("button", name="next").click()
    at(page, 12)
    kind.select_option("any event")
    text.fill("STEP 9")
    page.get_by_role("button", name="previous").click()
    at(page, 9)
    text.fill("e11")
    text.press("Enter")
    at(page, 11)
    page.get_by_role("button", name="previous").click()
    expect(page.locator("[data-part=found]")).to_have_text("none before event 11")


def test_two_prefixes_side_by_side(show: Open) -> None:
    history = mixed_run()
    page = show(Timeline(history, at=4))
    page.get_by_role("button", name="compare").click()
    expect(page.locator(ROOT)).to_have_attribute("data-compare", "4")
    expect(page.locator("[aria-live]")).to_have_text("From prefix 4 to 4: no difference.")
    page.get_by_role("slider").press("End")
    at(page, 12)
    rows = page.locator("[data-part=state] tr:not([data-change=same])[data-path]")
    assert rows.evaluate_all("rows => rows.map((row) => row.dataset.path)") == [
        change.path[0] for change in history.diff(4, 12)
    ]
    expect(page.locator("[data-path=status] [data-part=was]")).to_have_text("running")
    expect(page.locator("[data-path=status] [data-part=is]")).to_have_text("completed")
    expect(page.locator("[data-part=code]")).to_have_text("history.diff(4, 12)")
    page.get_by_label("prefix to compare with").fill("0")
    page.keyboard.press("Enter")
    expect(page.locator("[data-path=status]")).to_have_attribute("data-change", "added")
    page.get_by_role("button", name="compare").click()
    expect(page.locator(ROOT)).not_to_have_attribute("data-compare", "0")
    expect(page.locator("[data-part=code]")).to_have_text("history.at(12)")


def test_the_line_that_reproduces_the_view_is_copied(show: Open) -> None:
    page = show(Timeline(short_run(), at=2))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="copy").click()
    expect(page.locator("[aria-live]")).to_have_text("Copied: history.at(2)")
    assert page.evaluate("navigator.clipboard.readText()") == "history.at(2)"


def test_a_broken_chain_says_where_trust_ends(show: Open, tmp_path: Path) -> None:
    log = ChainLog(tmp_path / "run.jsonl", fsync_every=100)
    for found in mixed_run().events:
        log.append(found.model_dump(mode="json"))
    log.path.write_bytes(log.path.read_bytes().replace(b"step 9", b"step 0"))
    events = mixed_run().events[:8]
    page = show(Timeline(History(events, apply_event), trust=log.scan()))
    at(page, 8)
    expect(page.locator("[data-part=trust]")).to_have_text("chain holds to 8")
    page.get_by_role("slider").press("End")
    at(page, 9)
    expect(page.locator("[data-part=trust]")).to_have_text("trust ends at record 9")
    expect(page.locator("[data-part=message]")).to_contain_text("Trust ends at record 9")
    expect(page.locator("[data-part=state] table")).to_have_count(0)
    expect(page.locator("[data-mark='9']")).to_contain_text("chain broken")
    expect(page.locator(".strip.broken")).to_have_count(1)


def test_a_refused_event_and_an_empty_history_have_a_message_in_place_of_the_state(show: Open) -> None:
    page = show(Timeline(History(gapped_run(), apply_event)))
    page.get_by_role("slider").press("End")
    at(page, 5)
    expect(page.locator("[data-part=message]")).to_contain_text("Event 5 was refused")
    expect(page.locator("[data-part=message]")).to_contain_text("The last state is the one after 4 events.")
    page = show(Timeline(History([], apply_event)))
    at(page, 0)
    expect(page.locator("[data-part=message]")).to_contain_text("No event yet")


def test_a_business_date_and_a_prefix_show_what_is_in_force_and_who_drew_it(show: Open) -> None:
    october = [datetime.date(2026, 10, day) for day in range(1, 32)]
    rectangles = [
        Rectangle("schedule", {"text": "Tue"}, 2, 5, october[0]),
        Rectangle("schedule", {"text": "Thu"}, 5, None, october[9]),
        Rectangle("access", {"text": WRONG}, 3, 8, october[12], october[15]),
    ]
    page = show(Timeline(mixed_run(), at=4, dates=rectangles, date=october[13]))
    root, rows = page.locator(ROOT), page.locator("[data-part=rows] tr[data-row]")
    expect(root).to_have_attribute("data-date", "2026-10-14")
    expect(rows).to_contain_text(["Tue", WRONG])
    days = page.get_by_label("business date, day by day")
    days.press("ArrowRight")
    expect(days).to_have_attribute("aria-valuetext", "2026-10-15")
    days.press("ArrowRight")
    expect(rows).to_contain_text(["Tue"])
    at(page, 4)
    page.get_by_label("business date", exact=True).fill("2026-10-03")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="forward", exact=True).click()
    at(page, 5)
    expect(rows).to_have_attribute("data-change", "removed")
    days.press("End")
    expect(root).to_have_attribute("data-date", "2026-10-17")
    expect(rows).to_have_attribute("data-change", "changed")
    rows.get_by_role("button", name="5").click()
    said = "schedule, known from: drawn by event 5, write_permission_revoked."
    expect(page.locator("[data-part=edge]")).to_contain_text(said)
    expect(page.locator("[aria-live]")).to_have_text(said)
    canvas = page.locator("[data-part=canvas]")
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 88 + (box["width"] - 88) * 8 / 13, box["y"] + 22)
    expect(page.locator("[data-part=edge]")).to_contain_text("access, known until: drawn by event 8")
    page.locator("[data-part=edge]").get_by_role("button").click()
    at(page, 8)
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + 80)
    at(page, 12)
    assert page.evaluate("window.wrong") is None


def test_what_a_payload_holds_is_shown_as_text(show: Open) -> None:
    texts = [WRONG, "x" * 5000, "שלום עולם", "👩‍👧 🎈", "a\u202eb"]
    states = [{"text": text, text[:40]: text} for text in texts]
    history = History(
        states, lambda _, event: event, describe=lambda event: event["text"], marks=lambda e, *_: e["text"]
    )
    page = show(Timeline(history, title=WRONG))
    for n, text in enumerate(texts, start=1):
        page.get_by_label("prefix", exact=True).fill(str(n))
        page.keyboard.press("Enter")
        at(page, n)
        shown = state(page)["text"]
        assert shown in (text, f"{text[:600]}… (5,000 characters)", '"a\\u202eb"')
    assert page.evaluate("window.wrong") is None
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_pages_of_a_long_history_are_moved_through_without_a_wrong_state(show: Open) -> None:
    count = 2 * FILE_PAGE + 50
    page = show(Timeline(long_run(count)))
    expect(page.locator(ROOT)).to_have_attribute("data-loaded", "3/3")
    for prefix in (0, 1, FILE_PAGE, FILE_PAGE + 1, 2 * FILE_PAGE, count - 1, count):
        page.get_by_label("prefix", exact=True).fill(str(prefix))
        page.keyboard.press("Enter")
        at(page, prefix)
        assert state(page).get("version") == (str(prefix) if prefix else None)
    page.get_by_label("text to find in an event").fill("run_created")
    page.get_by_role("button", name="previous").click()
    at(page, 1)


def test_no_plain_key_reaches_the_notebook_and_every_other_does(show: Open) -> None:
    page = show(Timeline(short_run()))
    page.evaluate("window.keys = []; document.addEventListener('keydown', (event) => keys.push(event.key))")
    for control in page.locator(f"{ROOT} :is(button, input, select, [tabindex='0']):visible").all():
        control.focus()
        for key in ("d", "a", "x", "ArrowUp", "Escape"):
            page.keyboard.press(key)
        page.keyboard.press("Shift+D")
    assert page.evaluate("window.keys.filter((key) => key !== 'Shift')") == []
    page.keyboard.press("Shift+Enter")
    assert page.evaluate("window.keys.at(-1)") == "Enter"


OCTOBER = [datetime.date(2026, 10, day) for day in range(1, 32)]
FACTS = [
    Rectangle("schedule", {"text": "Tuesday at four, room 4"}, 2, 5, OCTOBER[0]),
    Rectangle("access", {"text": "the key is at the porter's"}, 3, None, OCTOBER[12], OCTOBER[15]),
]


@pytest.mark.parametrize(("width", "facts"), [(640, FACTS), (600, FACTS), (320, [])])
def test_nothing_is_cut_off_on_a_narrow_page_or_an_enlarged_one(
    show: Open, page: Page, width: int, facts: list[Rectangle]
) -> None:
    """At 200 % a window of 1,280 pixels is one of 640."""
    page.set_viewport_size({"width": width, "height": 900})
    show(Timeline(mixed_run(), title="run-1", dates=facts, date=OCTOBER[13] if facts else None))
    page.get_by_role("button", name="compare").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert cut_off(page.locator(ROOT)) == []
