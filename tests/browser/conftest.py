"""Real JupyterLab on a learner's working copy, in a real Chromium."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.tools import require_tool

SLOW = 60_000  # milliseconds a kernel on a busy machine may take
TOKEN = "learner"


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab and the workspace it serves."""

    address: str
    workspace: Path

    def notebook(self, name: str) -> str:
        return f"{self.address}/lab/tree/{name}.ipynb?token={TOKEN}&reset"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = require_tool("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Lab]:
    workspace = tmp_path_factory.mktemp("lab") / "my_forge"
    port = free_port()
    options = [
        "--expose-app-in-browser",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={TOKEN}",
    ]
    command = [sys.executable, "-m", "forge", "lab", "--workspace", str(workspace), "--no-browser", *options]
    log = workspace.parent / "lab.log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, cwd=workspace.parent)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for_server(f"{address}/api/status?token={TOKEN}", process, log)
        yield Lab(address, workspace)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def wait_for_server(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + SLOW / 1000
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("JupyterLab did not start:\n" + log.read_text(encoding="utf-8", errors="replace"))


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(SLOW)
    page = context.new_page()
    yield page
    context.close()


def open_notebook(page: Page, lab: Lab, name: str) -> None:
    """Open a notebook and wait until its kernel can take work: the status bar says so last."""
    page.goto(lab.notebook(name))
    page.wait_for_selector(".jp-NotebookPanel .jp-Notebook .jp-CodeCell")
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle", timeout=SLOW)


def run_all(page: Page) -> None:
    """Run every cell, and wait until the notebook's own model says that each has run and the kernel rests.

    Lab draws only the cells near the visible ones, so the page itself cannot tell.
    """
    page.evaluate(
        """() => window.jupyterapp.shell.currentWidget.content.widgets
          .filter(cell => cell.model.type === 'code')
          .forEach(cell => { cell.model.executionCount = null; })"""
    )
    page.locator(".lm-MenuBar-itemLabel", has_text=re.compile("^Run$")).click()
    page.locator(".lm-Menu-item[data-command='runmenu:run-all']").click()
    page.wait_for_function(
        """() => {
          const notebook = window.jupyterapp.shell.currentWidget;
          const cells = notebook.content.widgets.filter(cell => cell.model.type === 'code');
          return cells.length > 0 && cells.every(cell => cell.model.executionCount !== null)
            && notebook.sessionContext.session.kernel.status === 'idle';
        }""",
        timeout=3 * SLOW,
    )


def errors(page: Page) -> list[str]:
    """The errors among the outputs of the whole notebook, drawn or not."""
    found: list[str] = page.evaluate(
        """() => window.jupyterapp.shell.currentWidget.content.widgets
          .filter(cell => cell.model.type === 'code')
          .flatMap(cell => cell.model.outputs.toJSON())
          .filter(output => output.output_type === 'error' || output.name === 'stderr')
          .map(output => output.evalue || output.text)"""
    )
    return found


def cell_with(page: Page, text: str) -> Locator:
    """The code cell whose source holds `text`, scrolled into view: Lab does not draw those far away."""
    page.evaluate(
        """async text => {
          const notebook = window.jupyterapp.shell.currentWidget.content;
          const found = notebook.widgets.findIndex(cell =>
            cell.model.type === 'code' && cell.model.sharedModel.getSource().includes(text));
          if (found < 0) throw new Error(`no code cell holds ${text}`);
          await notebook.scrollToItem(found, 'center');
        }""",
        text,
    )
    return page.locator(".jp-CodeCell", has=page.locator(".jp-Editor", has_text=text)).first


def run_cell(page: Page, cell: Locator) -> None:
    """Run one cell and wait for its new number."""
    prompt = cell.locator(".jp-InputPrompt")
    before = prompt.text_content()
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    page.wait_for_function(
        "([element, before]) => element.textContent !== before && /^\\[\\d+\\]:$/.test(element.textContent)",
        arg=[prompt.element_handle(), before],
        timeout=SLOW,
    )


def type_into(page: Page, cell: Locator, source: str) -> None:
    """Replace the source of a cell by typing; Lab must not indent by itself what already is."""
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(source)


def press(control: Locator, key: str, figure: Locator, attribute: str, value: str) -> None:
    """Press a key that may be pressed twice, such as Home, until the figure is where it leads.

    Lab puts the focus on a cell once more when a long run has ended, and may draw the figure anew.
    """
    for _ in range(10):
        control.press(key)
        try:
            expect(figure).to_have_attribute(attribute, value, timeout=1000)
        except AssertionError:
            continue
        return
    expect(figure).to_have_attribute(attribute, value)


def take(page: Page, name: str) -> None:
    """Take a screenshot into $FORGE_SCREENSHOTS, if that is set: how docs/images is made."""
    if folder := os.environ.get("FORGE_SCREENSHOTS"):
        page.wait_for_timeout(500)
        page.screenshot(path=Path(folder) / f"{name}.png")
