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
from tests.browser.walks import BUTTONS, Walk, computed_state, cut_off, settled, shown_state, start
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
    ask = """async seen => {
      const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
      const asked = { code: "", silent: true, user_expressions: { seen } };
      const { content } = await kernel.requestExecute(asked).done;
      return content.user_expressions.seen.data["text/plain"];
    }"""
    for _ in range(100):
        known = page.evaluate(ask, expression)
        if known == repr(value):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"the kernel has {known}, expected {value!r}")


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


WHERE = """() => {
  const element = document.activeElement;
  const inside = element.closest(".forge-timeline") !== null;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const outlined = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  return [inside ? element.dataset.do ?? element.dataset.part : null, outlined];
}"""


def tab(page: Page, key: str = "Tab") -> str | None:
    """The control that the key leads to, which must show that it has the focus; None outside the timeline."""
    page.keyboard.press(key)
    found: tuple[str | None, bool] = page.evaluate(WHERE)
    name, outlined = found
    if name == "slider":
        # Its outline is that of its thumb, which a script cannot read.
        element = page.locator(".forge-timeline [data-part=slider]:focus").element_handle()
        focused = element.screenshot()
        element.evaluate("element => element.blur()")
        outlined = element.screenshot() != focused
        element.evaluate("element => element.focus()")
    assert name is None or outlined, f"{name} does not show that it has the focus"
    return name


def test_every_control_works_by_keyboard_alone_and_no_key_reaches_the_notebook(notebook: Page) -> None:
    short = timeline(notebook, "short")
    keyboard = notebook.keyboard
    notebook.context.grant_permissions(["clipboard-read", "clipboard-write"])
    notebook.evaluate(
        """() => {
          window.reached = [];
          document.addEventListener("keydown", (event) => window.reached.push(event.key));
          document.querySelector(".forge-timeline[aria-label=short]").focus();
        }"""
    )
    cells = notebook.evaluate("window.jupyterapp.shell.currentWidget.content.widgets.length")

    def walk_to(name: str) -> None:
        assert tab(notebook) == name
        if name in BUTTONS:
            for key in ("d", "d", "a", "x"):
                keyboard.press(key)

    def arrives(prefix: int) -> None:
        expect(short).to_have_attribute("data-prefix", str(prefix))
        named = f": {long_run(SHORT).describe(prefix)}" if prefix else ""
        expect(short.locator("[data-part=slider]")).to_have_attribute(
            "aria-valuetext", f"after {prefix} of {SHORT} events{named}"
        )

    walk_to("first")
    keyboard.press("Enter")
    arrives(0)
    walk_to("back")
    keyboard.press("End")
    keyboard.press("Enter")
    arrives(SHORT - 1)
    walk_to("play")
    keyboard.press("Home")
    keyboard.press("Enter")
    expect(short).to_have_attribute("data-playing", "")
    keyboard.press("Enter")
    expect(short).not_to_have_attribute("data-playing", "")
    walk_to("forward")
    keyboard.press("Home")
    keyboard.press(" ")
    arrives(1)
    walk_to("last")
    keyboard.press("Enter")
    arrives(SHORT)
    walk_to("speed")
    keyboard.press("Enter")
    expect(short.locator("[data-do=speed]")).to_have_text("2×")
    walk_to("typed")
    keyboard.type("5")
    keyboard.press("Enter")
    arrives(5)
    walk_to("kind")
    keyboard.press("ArrowDown")
    kind = short.locator("[data-part=kind]")
    expect(kind).not_to_have_value("")
    keyboard.press("ArrowUp")
    expect(kind).to_have_value("")
    walk_to("search")
    keyboard.type("step 0")
    keyboard.press("Enter")
    arrives(7)
    walk_to("previous")
    walk_to("next")
    keyboard.press("Shift+Tab")
    keyboard.press("Shift+Tab")
    keyboard.press("ControlOrMeta+a")
    keyboard.type("step")
    walk_to("previous")
    keyboard.press("Enter")
    arrives(6)
    walk_to("next")
    keyboard.press(" ")
    arrives(7)
    walk_to("compare")
    keyboard.press("Enter")
    walk_to("pinned")
    keyboard.type("3")
    keyboard.press("Enter")
    expect(short).to_have_attribute("data-compare", "3")
    assert tab(notebook, "Shift+Tab") == "compare"
    keyboard.press("Enter")
    expect(short).not_to_have_attribute("data-compare", "3")
    walk_to("copy")
    keyboard.press("Enter")
    expect(short.locator("[aria-live]")).to_have_text("Copied: history.at(7)")
    walk_to("slider")
    moves = [
        ("ArrowRight", 8),
        ("ArrowUp", 9),
        ("ArrowLeft", 8),
        ("ArrowDown", 7),
        ("PageUp", 9),
        ("PageDown", 7),
    ]
    for key, prefix in [*moves, ("End", SHORT), ("Home", 0)]:
        keyboard.press(key)
        arrives(prefix)
    keyboard.press(" ")
    expect(short).to_have_attribute("data-playing", "")
    keyboard.press(" ")
    expect(short).not_to_have_attribute("data-playing", "")
    walk_to("events")
    for key, prefix in [("Home", 0), ("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("End", SHORT)]:
        keyboard.press(key)
        arrives(prefix)
    assert notebook.evaluate(
        "window.reached.filter((key) => !['Shift', 'Control', 'Meta'].includes(key))"
    ) == ["a"], "only what a browser does with Ctrl+A"
    assert notebook.evaluate("window.jupyterapp.shell.currentWidget.content.widgets.length") == cells


@pytest.mark.parametrize(("width", "zoom"), [(600, 1), (1280, 2)])
def test_nothing_of_a_timeline_is_cut_off_in_lab(notebook: Page, width: int, zoom: int) -> None:
    """At 200 % a window has half as many CSS pixels, of twice the size."""
    notebook.set_viewport_size({"width": width // zoom, "height": 900 // zoom})
    short = timeline(notebook, "short")
    settled(short)
    assert cut_off(short) == []


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
