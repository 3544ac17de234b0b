"""Every notebook of the course, run from first to last in JupyterLab, and its special figure used."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from forge.course.contract import stems
from tests.browser.conftest import Lab, cell_with, errors, open_notebook, press, run_all, take

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FIGURES = {
    "03_checkpoint_contract": ("power_cut_dial(", ".forge-dial"),
    "04_recovery_equivalence": ("recovery_figure(", ".forge-strip"),
}


@pytest.mark.parametrize("stem", stems())
def test_a_notebook_runs_without_an_error_and_its_figures_move(lab: Lab, page: Page, stem: str) -> None:
    open_notebook(page, lab, stem)
    run_all(page)
    assert errors(page) == []
    timeline = cell_with(page, "Timeline(").locator(".forge-timeline")
    slider = timeline.locator("input[type=range]").first
    press(slider, "Home", timeline, "data-prefix", "0")
    timeline.locator("[data-do=forward]").click()
    expect(timeline).to_have_attribute("data-prefix", "1")
    take(page, f"{stem}-timeline")
    if stem in FIGURES:
        source, figure = FIGURES[stem]
        shown = cell_with(page, source).locator(figure).first
        use(page, shown)
        take(page, f"{stem}-figure")
    expect(page.locator(".jp-RenderedMermaid.jp-mod-warning")).to_have_count(0)
    expect(page.get_by_text("model not found")).to_have_count(0)


def use(page: Page, figure) -> None:  # type: ignore[no-untyped-def]
    """Move a dial or a strip by keyboard, then by mouse."""
    handle = figure.locator("input[type=range], [role=radio][tabindex='0']").first
    press(handle, "Home", figure, "data-value", "0")
    figure.locator("input[type=range], [role=radio][tabindex='0']").first.press("ArrowRight")
    expect(figure).to_have_attribute("data-value", "1")
    last = figure.get_attribute("data-last") or ""
    places = figure.locator("[role=radio]")
    if places.count():
        places.last.click()
    else:
        box = handle.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    expect(figure).to_have_attribute("data-value", last)
