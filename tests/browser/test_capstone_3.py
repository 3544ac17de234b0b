"""Capstone 3 in JupyterLab: the board where mechanisms are switched off, and the timeline of its runs."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Lab, cell_with, errors, open_notebook, press, run_all, take
from tests.browser.walks import cut_off, settled, shown_state

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STEM = "capstone_3_whole_harness"


def test_a_learner_reads_the_board_and_finds_a_run_by_keyboard_and_by_mouse(lab: Lab, page: Page) -> None:
    open_notebook(page, lab, STEM)
    run_all(page)
    assert errors(page) == []

    numbers: list[str] = []
    for source in ("ablation_board(ablations[:11])", "ablation_board(ablations[11:]"):
        board = cell_with(page, source).locator("table").first
        board.scroll_into_view_if_needed()
        rows = board.locator("tbody tr")
        expect(rows.filter(has_text="✓").filter(has_text="✗")).to_have_count(11)
        assert board.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")
        numbers += [text.split()[0] for text in rows.all_inner_texts()]
        take(page, f"{STEM}-board-{numbers[-1]}")
    assert numbers == [str(number) for number in range(2, 24)]

    timeline = cell_with(page, "Timeline(ablation_history").locator(".forge-timeline")
    slider = timeline.locator("input[type=range]").first
    words = timeline.locator("[data-part=search]")
    press(slider, "Home", timeline, "data-prefix", "0")
    words.fill("written, and nobody consented")
    words.press("Enter")
    expect(timeline).not_to_have_attribute("data-prefix", "0")
    outcome = settled(timeline)
    state = shown_state(timeline)
    assert (state["mechanism"], state["switched"]) == ("permissions", "off")
    assert state["outcome"] == "✗ written, and nobody consented"
    take(page, f"{STEM}-permissions-off")

    slider.press("ArrowLeft")
    expect(timeline).to_have_attribute("data-prefix", str(outcome - 1))
    words.fill("not permitted: the tool writes")
    timeline.locator("[data-do=previous]").click()
    before = settled(timeline)
    assert before < outcome - 1
    assert shown_state(timeline)["mechanism"] == "permissions"
    assert shown_state(timeline)["switched"] == "on"

    timeline.locator("[data-do=first]").click()
    expect(timeline).to_have_attribute("data-prefix", "0")
    timeline.locator("[data-mark] text", has_text="went wrong").first.click()
    expect(timeline).not_to_have_attribute("data-prefix", "0")
    settled(timeline)
    assert shown_state(timeline)["switched"] == "off"
    assert cut_off(timeline) == []
