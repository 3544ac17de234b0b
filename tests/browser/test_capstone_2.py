"""Capstone 2 in JupyterLab: the chart of its nights, and the timeline over its ledger."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Lab, cell_with, errors, open_notebook, press, run_all, take
from tests.browser.walks import cut_off, settled, shown_state

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STEM = "capstone_2_state_layer"
THIRD_TIME = 9
"""After so many changes F02 is in hand for the third time: the moment that the notebook asks for."""


def in_hand(timeline: Locator) -> tuple[str, str, str]:
    """What is in hand, how often F02 was begun, and how many windows were opened."""
    settled(timeline)
    state = shown_state(timeline)
    return state["current"], state["attempts.F02"], state["spent.windows"]


def test_a_learner_finds_the_third_attempt_by_keyboard_and_by_mouse(lab: Lab, page: Page) -> None:
    open_notebook(page, lab, STEM)
    run_all(page)
    assert errors(page) == []

    chart = cell_with(page, "Bars(").locator("table", has_text="Steps of a night")
    expect(chart.locator("tr", has_text="5 × 3, without")).to_contain_text("3 finished · ✗ 12 wasted")
    expect(chart.locator("tr", has_text="5 × 3, with").last).to_contain_text("15 finished · ✗ 0 wasted")
    take(page, f"{STEM}-chart")

    timeline = cell_with(page, "Timeline(history").locator(".forge-timeline")
    slider = timeline.locator("input[type=range]").first
    press(slider, "Home", timeline, "data-prefix", "0")
    for number in range(1, THIRD_TIME + 1):
        slider.press("ArrowRight")
        expect(timeline).to_have_attribute("data-prefix", str(number))
    assert in_hand(timeline) == ("F02", "3", "2")
    take(page, f"{STEM}-third-time")

    press(slider, "Home", timeline, "data-prefix", "0")
    words = timeline.locator("[data-part=search]")
    words.fill("begun F02")
    for number in (4, 6, THIRD_TIME):
        words.press("Enter")
        expect(timeline).to_have_attribute("data-prefix", str(number))
    assert in_hand(timeline) == ("F02", "3", "2")

    timeline.locator("[data-do=first]").click()
    expect(timeline).to_have_attribute("data-prefix", "0")
    timeline.locator("[data-mark] text", has_text="window").nth(1).click()
    expect(timeline).to_have_attribute("data-prefix", str(THIRD_TIME - 1))
    timeline.locator("[data-do=forward]").click()
    expect(timeline).to_have_attribute("data-prefix", str(THIRD_TIME))
    assert in_hand(timeline) == ("F02", "3", "2")
    assert cut_off(timeline) == []
