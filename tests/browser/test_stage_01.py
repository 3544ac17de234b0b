"""A learner at work on stage 1, in JupyterLab."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from forge import resources
from forge.course.saving import VIEW
from tests.browser.conftest import (
    SLOW,
    Lab,
    cell_with,
    errors,
    open_notebook,
    press,
    run_all,
    run_cell,
    take,
    type_into,
)
from tests.course.answers import FOLDER

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STEM = "01_state_and_events"
RIGHT = next((FOLDER / "right_answers" / STEM / "reject_a_gap").glob("if_and_elif.py")).read_text(
    encoding="utf-8"
)


# What Run All shows on the pristine copy, by the cell that shows it.
PANELS = {
    "stage.predict(": "What should it do?",
    "stage.tests(": "contract tests pass",
    '@stage.exercise("reject_a_gap")': "Not attempted yet: reject a gap",
    'stage.hint("reject_a_gap")': "Hints: Reject a gap",
    'stage.inject("sequence_gap")': "Diagnose in this order",
    '@stage.repair("sequence_gap")': "Not repaired yet",
    '@stage.repair("text_order")': "Not repaired yet",
    '@stage.transfer("office_brief")': "Not attempted yet",
    "stage.explain(": "Why must the sequence",
    "stage.mastery(": "still to do",
}


def as_cell(source: str) -> str:
    """The answer's file as a learner would type it: its imports, then the decorator, then the function."""
    return source.replace("def apply_event(", '@stage.exercise("reject_a_gap")\ndef apply_event(', 1)


def test_run_all_on_the_pristine_copy_shows_every_panel_and_no_error(lab: Lab, page: Page) -> None:
    open_notebook(page, lab, STEM)
    run_all(page)
    assert errors(page) == []
    card = cell_with(page, "open_stage(")
    expect(card.get_by_text("state-memory-context-01-state-and-events").first).to_be_visible()
    take(page, "stage-01-top")
    for source, shown in PANELS.items():
        expect(cell_with(page, source).get_by_text(shown).first).to_be_visible()
    expect(cell_with(page, "Timeline(").locator(".forge-timeline")).to_be_visible()
    take(page, "stage-01-timeline")


def test_a_wrong_answer_a_hint_and_the_right_answer(lab: Lab, page: Page) -> None:
    open_notebook(page, lab, STEM)
    run_cell(page, cell_with(page, "open_stage("))
    run_cell(page, cell_with(page, "from forge.state import RunEvent"))
    exercise = cell_with(page, '@stage.exercise("reject_a_gap")')
    report = exercise.locator(".jp-OutputArea-output")

    type_into(page, exercise, as_cell(RIGHT).replace("event.sequence != state", "event.sequence < state"))
    run_cell(page, exercise)
    expect(report).to_contain_text("✗")
    expect(report).to_contain_text("Hint 1 of 3")
    expect(report).not_to_contain_text("Traceback")
    expect(report).not_to_contain_text("File ")
    report.scroll_into_view_if_needed()
    take(page, "stage-01-wrong")

    hints = cell_with(page, 'stage.hint("reject_a_gap")')
    run_cell(page, hints)
    hints.get_by_role("button", name="Open hint 1 of 3").click()
    expect(hints).to_contain_text("the sequence of the last event", timeout=SLOW)
    expect(hints.get_by_role("button", name="Open hint 2 of 3")).to_be_visible()

    exercise = cell_with(page, '@stage.exercise("reject_a_gap")')
    type_into(page, exercise, as_cell(RIGHT))
    run_cell(page, exercise)
    expect(report).to_contain_text("✓")
    expect(report).to_contain_text("Exercise passed: reject a gap")
    report.scroll_into_view_if_needed()
    take(page, "stage-01-passed")
    kept = lab.workspace / "evidence/state-memory-context/01-state-and-events/answers/reject_a_gap.py"
    assert "def apply_event(" in kept.read_text(encoding="utf-8")


def test_the_prediction_is_kept_after_a_reload(lab: Lab, page: Page) -> None:
    open_notebook(page, lab, STEM)
    run_cell(page, cell_with(page, "open_stage("))
    asked = cell_with(page, "stage.predict(")
    run_cell(page, asked)
    asked.get_by_role("radio").nth(1).check()
    asked.get_by_role("button", name="Commit").click()
    expect(asked).to_contain_text("You chose b. That is right.", timeout=SLOW)
    page.keyboard.press("Control+s")

    open_notebook(page, lab, STEM)
    run_cell(page, cell_with(page, "open_stage("))
    asked = cell_with(page, "stage.predict(")
    run_cell(page, asked)
    expect(asked).to_contain_text("You chose b. That is right.")
    expect(asked.get_by_role("radio")).to_have_count(0)


def test_the_timeline_moves_by_keyboard_and_no_key_reaches_the_notebook(lab: Lab, page: Page) -> None:
    open_notebook(page, lab, STEM)
    run_all(page)
    timeline = cell_with(page, "Timeline(").locator(".forge-timeline")
    slider = timeline.locator("input[type=range]").first
    press(slider, "Home", timeline, "data-prefix", "0")
    slider.press("ArrowRight")
    expect(timeline).to_have_attribute("data-prefix", "1")
    expect(timeline.locator("[data-part=state]")).to_contain_text("created")
    press(slider, "End", timeline, "data-prefix", "3")
    expect(timeline.locator("[data-part=state]")).to_contain_text("inspect")
    assert "write_permission_revoked" in (slider.get_attribute("aria-valuetext") or "")
    for key in "dda":
        page.keyboard.press(key)
    expect(timeline).to_be_visible()
    ids = page.evaluate("window.jupyterapp.shell.currentWidget.content.widgets.map(cell => cell.model.id)")
    pristine = json.loads(resources.notebook(STEM).read_text(encoding="utf-8"))
    assert ids == [cell["id"] for cell in pristine["cells"]]


def test_a_reopened_notebook_shows_its_widgets_or_their_tables_and_never_that_a_model_is_lost(
    lab: Lab, page: Page
) -> None:
    open_notebook(page, lab, STEM)
    run_all(page)
    save(page)
    assert views(lab.workspace / f"{STEM}.ipynb"), "with its state, the live widget is saved"
    open_notebook(page, lab, STEM)
    expect(cell_with(page, "Timeline(").locator(".forge-timeline")).to_be_visible()

    # A restarted kernel takes its widgets along; the next save keeps the tables.
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle", timeout=SLOW)
    run_cell(page, cell_with(page, "open_stage("))
    save(page)
    open_notebook(page, lab, STEM)
    timeline = cell_with(page, "Timeline(")
    expect(timeline.get_by_text("write_permission_revoked").first).to_be_visible()
    expect(page.get_by_text("model not found")).to_have_count(0)


def save(page: Page) -> None:
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")


def views(path: Path) -> list[str]:
    """The ids of the widgets in a saved notebook that would be drawn live."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    data = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
    return [bundle[VIEW]["model_id"] for bundle in data if VIEW in bundle]


def test_the_start_page_shows_the_course_and_this_machine(lab: Lab, page: Page) -> None:
    open_notebook(page, lab, "00_start_here")
    run_all(page)
    assert errors(page) == []
    first = cell_with(page, "environment()")
    expect(first.get_by_text("This machine is ready").first).to_be_visible()
    expect(first.get_by_text("progress is kept").first).to_be_visible()
    board = cell_with(page, "dashboard()").last
    expect(page.locator(".jp-OutputArea a", has_text="State and events").first).to_be_visible()
    expect(board).to_be_visible()
    take(page, "start-here")
    page.get_by_role("heading", name="The chain of capabilities").scroll_into_view_if_needed()
    expect(
        page.locator(".jp-RenderedMermaid img, .jp-RenderedMarkdown img[src^='data:image/svg']").first
    ).to_be_visible()


def test_lab_is_opened_with_the_courses_own_settings(lab: Lab) -> None:
    own = lab.workspace / ".forge"
    page_config = json.loads((own / "config" / "labconfig" / "page_config.json").read_text(encoding="utf-8"))
    assert page_config["disabledExtensions"] == {"@jupyterlab/apputils-extension:announcements": True}
    assert (own / "data" / "nbsignatures.db").is_file()
