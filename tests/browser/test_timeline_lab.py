"""Timelines in a notebook: two at once, a restarted kernel, a page that is loaded again, a run that grows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from forge.timeline import Timeline
from tests.browser.conftest import SLOW, Lab, cell_with, errors, open_notebook, run_all, run_cell
from tests.browser.walks import Walk, computed_state, settled, shown_state, start
from tests.timeline.runs import long_run

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "timelines"
ROOT = Path(__file__).parents[2]
SHORT, LONG = 12, 25_000
SETUP = f"""import sys
sys.path.insert(0, {str(ROOT)!r})
from forge.timeline import Timeline
from tests.timeline.runs import long_run"""
CELLS = [
    SETUP,
    f'short = Timeline(long_run({SHORT}), title="short")\nshort',
    f'Timeline(long_run({LONG}), title="long")',
    f"short.show(long_run({SHORT + 8}))",
]


@pytest.fixture
def notebook(lab: Lab, page: Page) -> Page:
    """A notebook with two timelines, its first three cells run."""
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS[:3]]
    written = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
    (lab.workspace / f"{NAME}.ipynb").write_text(nbformat.writes(written), encoding="utf-8")
    open_notebook(page, lab, NAME)
    run_all(page)
    assert errors(page) == []
    return page


def timeline(page: Page, title: str) -> Locator:
    found = page.locator(f".forge-timeline[aria-label={title}]")
    found.scroll_into_view_if_needed()
    start(found)
    return found


def wait_until_the_kernel_knows(page: Page, expression: str, value: object) -> None:
    page.wait_for_function(
        """async ([seen, value]) => {
          const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
          const asked = { code: "", silent: true, user_expressions: { seen } };
          const { content } = await kernel.requestExecute(asked).done;
          return content.user_expressions.seen.data?.["text/plain"] === value;
        }""",
        arg=[expression, repr(value)],
    )


def test_every_move_shows_the_state_of_its_prefix_in_both_timelines_of_a_notebook(notebook: Page) -> None:
    walks = [
        Walk(timeline(notebook, title), long_run(count), seed=2)
        for title, count in [("short", SHORT), ("long", LONG)]
    ]
    for _ in range(2):
        for walk in walks:
            walk.go(50)
    assert errors(notebook) == []


def test_a_timeline_outlives_its_kernel_and_a_reload_and_a_second_run_of_its_cell(
    lab: Lab, notebook: Page
) -> None:
    short = timeline(notebook, "short")
    expect(timeline(notebook, "long")).to_have_attribute("data-loaded", re.compile(r"^(\d+)/\1$"))
    restart = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
    notebook.evaluate(restart)
    expect(notebook.locator("#jp-main-statusbar")).to_contain_text("| Idle", timeout=SLOW)
    Walk(short, long_run(SHORT), seed=3).go(10)
    Walk(timeline(notebook, "long"), long_run(LONG), seed=3).go(10)

    run_all(notebook)
    run_cell(notebook, cell_with(notebook, 'title="short"'))
    again = timeline(notebook, "short")
    expect(again).to_have_count(1)
    Walk(again, long_run(SHORT), seed=4).go(10)

    notebook.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    saved = json.loads((lab.workspace / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    assert all("text/html" in output["data"] for cell in saved["cells"][1:3] for output in cell["outputs"])
    here = settled(again)
    wait_until_the_kernel_knows(notebook, "short.seen", here)
    open_notebook(notebook, lab, NAME)
    reopened = timeline(notebook, "short")
    assert settled(reopened) == here
    Walk(reopened, long_run(SHORT), seed=5).go(10)
    expect(notebook.get_by_text("model not found")).to_have_count(0)


def test_when_a_run_grows_the_end_of_the_slider_moves_and_the_place_stays(notebook: Page) -> None:
    short = timeline(notebook, "short")
    short.locator("[data-part=typed]").fill("5")
    short.locator("[data-part=typed]").press("Enter")
    assert settled(short) == 5
    notebook.evaluate(
        """async code => {
          const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
          await kernel.requestExecute({ code }).done;
        }""",
        CELLS[3],
    )
    expect(short).to_have_attribute("data-count", str(SHORT + 8))
    assert settled(short) == 5
    grown = long_run(SHORT + 8)
    assert shown_state(short) == computed_state(grown, 5)
    short.locator("[data-part=slider]").press("End")
    assert settled(short) == SHORT + 8
    assert shown_state(short) == computed_state(grown, SHORT + 8)


def serious(page: Page, within: str) -> list[str]:
    """What axe-core finds of serious or critical impact."""
    found = Axe().run(page, context=within)
    return [
        f"{violation['id']}: {node['html']}"
        for violation in found.response["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_axe_finds_nothing_serious_in_lab(notebook: Page, theme: str) -> None:
    notebook.evaluate(
        "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme
    )
    dark = theme.endswith("Dark")
    expect(notebook.locator("body")).to_have_attribute("data-jp-theme-light", "false" if dark else "true")
    short = timeline(notebook, "short")
    short.locator("[data-do=compare]").click()
    short.locator("[data-do=back]").click()
    settled(short)
    assert serious(notebook, ".forge-timeline") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_the_exported_page(page: Page, tmp_path: Path, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(Timeline(long_run(SHORT), title="run").to_html(tmp_path / "run.html").as_uri())
    start(page.locator(".forge-timeline"))
    assert serious(page, "body") == []
