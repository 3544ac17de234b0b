"""Capstone 1 in JupyterLab: both sliders of its timeline, and what they show."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Lab, cell_with, errors, open_notebook, press, run_all, take

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STEM = "capstone_1_version_memory"


def test_a_learner_moves_what_was_known_and_the_day_and_sees_what_may_be_answered_from(
    lab: Lab, page: Page
) -> None:
    open_notebook(page, lab, STEM)
    run_all(page)
    assert errors(page) == []
    timeline = cell_with(page, "Timeline(").locator(".forge-timeline")
    prefix = timeline.locator("input[type=range]").first
    day = timeline.get_by_label("business date, day by day")
    rows = timeline.locator("[data-part=rows] tr[data-row]")
    expect(timeline).to_have_attribute("data-date", "2026-10-12")
    expect(rows.filter(has_text="access")).to_have_count(0)
    take(page, f"{STEM}-12-october")
    press(day, "ArrowRight", timeline, "data-date", "2026-10-13")
    expect(rows.filter(has_text="guest card").first).to_be_visible()
    take(page, f"{STEM}-13-october")
    press(prefix, "Home", timeline, "data-prefix", "0")
    expect(timeline).to_have_attribute("data-date", "2026-10-13")
    for number in range(1, 10):
        timeline.locator("[data-do=forward]").click()
        expect(timeline).to_have_attribute("data-prefix", str(number))
    expect(rows.filter(has_text="Thursday").first).to_be_visible()
    expect(rows.filter(has_text="camera")).to_have_count(0)
    take(page, f"{STEM}-9-events")
