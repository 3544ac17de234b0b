"""The timeline in JupyterLab: how long from a move of the slider to the page, beside a plain ipywidgets view.

    python benchmarks/timeline.py [EVENTS ...]      # 12 10000 100000 1000000; needs Chromium

Times are measured inside the page, from the `input` event of the slider until the state in the page is that
of the new prefix, each beside what is wanted of it:

    asked    moves right after the first paint: what is not there yet is asked of the kernel, once a place
    back     to the same places again, at once
    loaded   all over the history, to places not seen before, once every page has come by itself
    again    to the same places again

A plain view asks the kernel at every move. `forge lab` sends each answer at once, JupyterLab by itself
holds it back (`forge/course/connection.py`): the plain view is measured in both.

The last rows are a version memory of 10,000 events, about 5 documents and about 100, with both of its
sliders. First paint is measured in the page, from the command that runs the cell until the state is drawn;
the history is built before, and its build time is printed beside it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
SIZES = [12, 10_000, 100_000, 1_000_000]
MOVES = 200
MOVED = ("asked", "back", "loaded", "again")
SETUP = f"""
import sys, time
sys.path.insert(0, {str(ROOT)!r})
import ipywidgets
from IPython.display import display
from forge.timeline import Timeline
from tests.timeline.runs import long_run
"""
BUILD = """
start = time.perf_counter()
history = long_run({count})
print(f"{{time.perf_counter() - start:.2f}}")
"""
OURS = "timeline = Timeline(history)\ntimeline"
VERSIONS = 10_000
DOCUMENTS = (5, 100)
JUPYTERS_OWN = (
    "--ServerApp.kernel_websocket_connection_class="
    "jupyter_server.services.kernels.connection.channels.ZMQChannelsWebsocketConnection"
)
BUILD_VERSIONS = """
from benchmarks.versions import history as imports
from forge.history import History
from forge.timeline import Rectangle
from forge.versions import named, now_active, spans
start = time.perf_counter()
events = imports({documents})
history = History(events, now_active, describe=named)
dates = [Rectangle(*span) for span in spans(events)]
print(f"{{time.perf_counter() - start:.2f}}")
"""
OURS_VERSIONS = "timeline = Timeline(history, dates=dates)\ntimeline"
PLAIN = """
slider = ipywidgets.IntSlider(len(history), 0, len(history), layout={"width": "90%"})
view = ipywidgets.HTML()
def draw(change):
    state = history.at(change["new"]) or ()
    rows = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in state)
    view.value = f"<table class=plain data-prefix={change['new']}>{rows}</table>"
slider.observe(draw, "value")
draw({"new": len(history)})
display(ipywidgets.VBox([slider, view]))
"""
SENT = "sum(map(len, timeline.pages.values())) + len(timeline.dates)"

# Moves the slider to each prefix of `moves`, and tells for each how many ms it took until the page showed it.
OURS_MOVES = """async ({ moves, end }) => {
  const root = document.querySelector(".forge-timeline");
  const slider = root.querySelector("[data-part=slider]");
  const version = () => root.querySelector("tr[data-path=version] [data-part=is]")?.textContent ?? "0";
  const times = [];
  for (const prefix of moves) {
    const start = performance.now();
    slider.value = prefix;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    while (root.dataset.prefix !== String(prefix) || version() !== String(prefix))
      await new Promise((done) => setTimeout(done));
    times.push(performance.now() - start);
    await new Promise(requestAnimationFrame);
  }
  return times;
}"""
# The same with both sliders at once: the date goes one day up and down.
BOTH_MOVES = """async ({ moves }) => {
  const root = document.querySelector(".forge-timeline");
  const [slider, days] = ["slider", "days"].map((part) => root.querySelector(`[data-part=${part}]`));
  const [low, high] = [Number(days.min), Number(days.max)];
  const times = [];
  for (const [order, prefix] of moves.entries()) {
    const before = root.dataset.date;
    const start = performance.now();
    slider.value = prefix;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    days.value = low + (Number(days.value) - low + 1) % (high - low + 1);
    days.dispatchEvent(new Event("input", { bubbles: true }));
    while (root.dataset.prefix !== String(prefix) || root.dataset.date === before)
      await new Promise((done) => setTimeout(done));
    times.push(performance.now() - start);
    await new Promise(requestAnimationFrame);
  }
  return times;
}"""
PLAIN_MOVES = """async ({ moves, end }) => {
  const bar = document.querySelector(".widget-hslider .noUi-target").noUiSlider;
  const times = [];
  for (const prefix of moves) {
    const start = performance.now();
    bar.set(prefix, true);
    while (document.querySelector("table.plain")?.dataset.prefix !== String(prefix))
      await new Promise((done) => setTimeout(done));
    times.push(performance.now() - start);
    await new Promise(requestAnimationFrame);
  }
  return times;
}"""
FIRST_PAINT = """async (place) => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  notebook.activeCellIndex = place;
  notebook.deselectAll();
  const start = performance.now();
  window.jupyterapp.commands.execute("notebook:run-cell");
  while (!document.querySelector(".forge-timeline[data-prefix]")) await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""
RUN = """async (place) => {
  const panel = window.jupyterapp.shell.currentWidget;
  panel.content.activeCellIndex = place;
  panel.content.deselectAll();
  await window.jupyterapp.commands.execute("notebook:run-cell");
  return panel.content.widgets[place].model.outputs.toJSON();
}"""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextmanager
def lab(folder: Path, *more: str) -> Iterator[str]:
    """JupyterLab on a folder, with `more` options; gives the address of the notebook in it."""
    port = free_port()
    options = ["--expose-app-in-browser", f"--ServerApp.port={port}", "--IdentityProvider.token=bench", *more]
    command = [sys.executable, "-m", "forge", "lab", "--workspace", str(folder), "--no-browser", *options]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        while True:
            try:
                urllib.request.urlopen(f"{address}/api/status?token=bench", timeout=2).close()
                break
            except OSError:
                time.sleep(0.2)
        yield f"{address}/lab/tree/bench.ipynb?token=bench&reset"
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=30)


def written(count: int, documents: int) -> str:
    """A notebook with the cells of a measurement: of a run beside the plain view, or of some `documents`."""
    run = [BUILD.format(count=count), OURS, SENT, PLAIN, "timeline.close()"]
    versions = [BUILD_VERSIONS.format(documents=documents), OURS_VERSIONS, SENT]
    sources = [SETUP, *(versions if documents else run)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    cells = [nbformat.v4.new_code_cell(source.strip()) for source in sources]
    text: str = nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata=kernel))
    return text


def spread(moves: list[float]) -> tuple[float, float]:
    """The median and the 95th percentile."""
    ordered = sorted(moves)
    return ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]


def text_of(outputs: list[dict[str, Any]]) -> str:
    """What a cell printed, or its value."""
    [output] = outputs
    found = output.get("text") or output["data"]["text/plain"]
    return "".join(found).strip()


def prefixes(count: int, turn: int = 0) -> list[int]:
    """Where to move, the same every time: all over the history, never twice in a row to the same place."""
    found = [(n * 7_919 * max(1, count // 9_973) + 3 * turn) % (count + 1) for n in range(1, MOVES + 1)]
    return [
        n if n != before else (n + 1) % (count + 1) for before, n in zip([-1, *found], found, strict=False)
    ]


def new_page(browser: Browser) -> Page:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(120_000)
    return context.new_page()


def begin(page: Page, address: str) -> float:
    """Open the notebook and run its first two cells: the seconds in which the history was built."""
    page.goto(address)
    page.wait_for_selector(".jp-NotebookPanel .jp-Notebook .jp-CodeCell")
    page.wait_for_function("document.querySelector('#jp-main-statusbar')?.textContent.includes('| Idle')")
    page.evaluate(RUN, 0)
    return float(text_of(page.evaluate(RUN, 1)))


def move_plain(page: Page, count: int) -> tuple[float, float]:
    page.evaluate(RUN, 4)
    page.wait_for_selector("table.plain", state="attached")
    return spread(page.evaluate(PLAIN_MOVES, {"moves": prefixes(count)[:40], "end": count}))


def measure(page: Page, address: str, count: int, documents: int) -> dict[str, Any]:
    found: dict[str, Any] = {"events": count, "documents": documents, "build": begin(page, address)}
    found["paint"] = page.evaluate(FIRST_PAINT, 2) / 1000
    found["bytes"] = int(text_of(page.evaluate(RUN, 3)))
    script = BOTH_MOVES if documents else OURS_MOVES
    early, late = ({"moves": prefixes(count, turn), "end": count} for turn in (0, 1))
    found["asked"] = spread(page.evaluate(script, early))
    found["back"] = spread(page.evaluate(script, early))
    start = time.perf_counter()
    page.wait_for_function(
        """() => {
          const [loaded, count] = document.querySelector(".forge-timeline").dataset.loaded.split("/");
          return loaded === count;
        }""",
        timeout=600_000,
    )
    found["waited"] = time.perf_counter() - start
    found["loaded"] = spread(page.evaluate(script, late))
    found["again"] = spread(page.evaluate(script, late))
    if not documents:
        page.evaluate(RUN, 5)
        found["plain here"] = move_plain(page, count)
    return found


def line(found: dict[str, Any]) -> str:
    """What was measured in one line, and in a second what is wanted of it."""
    both = found["documents"]
    times = [found.get(name) for name in (*MOVED, "plain", "plain here")]
    cells = "".join(f"{time[0]:>8.1f} /{time[1]:>6.1f}" if time else f"{'–':>16}" for time in times)
    ratio = f"{found['plain'][1] / found['again'][1]:>7.0f}×" if "plain" in found else ""
    size, name = f"{found['bytes'] / 1000:.0f} kB", f"{found['events']:,}{f' ×{both}' if both else ''}"
    first = f"{name:>10}{found['build']:>9.2f} s{found['paint']:>7.2f} s{size:>9}"
    million = found["events"] > 100_000
    wanted = [60, 10, 10, 10] if million else ["", 5, 5, 5]
    limits = "".join(f"{f'≤ {limit}' if limit else '':>16}" for limit in wanted)
    paint = {10_000: "≤ 0.5 s", 1_000_000: "≤ 2 s"}.get(found["events"], "")
    second = f"{'wanted':>10}{'':>11}{paint:>9}{'≤ 1 MB':>9}{limits}{'':>16}{'' if both else '≥ 10×':>24}"
    return f"{first}{cells}{ratio}   every page after {found['waited']:.0f} s\n{second}"


def main() -> None:
    sizes = [int(size) for size in sys.argv[1:]] or SIZES
    chromium = shutil.which("chromium") or os.environ.get("CHROMIUM")
    if not chromium:
        sys.exit("Chromium is needed: install it, or name it in $CHROMIUM.")
    print("Milliseconds are median / 95th percentile of 200 moves (40 of the plain view).")
    print(f"Load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors.")
    heads = ["events", "build", "paint", "sent", *MOVED, "plain in Lab", "plain here", "ratio"]
    widths = [10, 11, 9, 9, *[16] * 6, 8]
    print("".join(f"{head:>{width}}" for head, width in zip(heads, widths, strict=True)))
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name) / "bench"
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for count, documents in [*((size, 0) for size in sizes), *((VERSIONS, many) for many in DOCUMENTS)]:
            with lab(folder) as address:
                (folder / "bench.ipynb").write_text(written(count, documents), encoding="utf-8")
                found = measure(new_page(browser), address, count, documents)
            if not documents:
                with lab(folder, JUPYTERS_OWN) as address:
                    page = new_page(browser)
                    begin(page, address)
                    found["plain"] = move_plain(page, count)
            print(line(found), flush=True)
            if path := os.environ.get("FORGE_BENCH_JSON"):
                with Path(path).open("a", encoding="utf-8") as file:
                    file.write(json.dumps(found) + "\n")
        browser.close()


if __name__ == "__main__":
    main()
