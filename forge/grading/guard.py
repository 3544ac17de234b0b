"""A pytest plug-in that makes nbval dependable: `pytest -p forge.grading.guard --nbval notebook.ipynb`.

It knows nothing of any course. Under it

- a kernel that dies is noticed at once, the signal is named, and the cells after it fail as blocked;
- a notebook has a time budget (`--nbval-budget`), after which its cells fail as blocked; a cell over
  `--nbval-cell-timeout` is interrupted, and the notebook goes on when that helped;
- output is read while a cell runs, and what exceeds `--nbval-output-cap` is dropped;
- what stands on stderr is not compared;
- a cell that must raise and does not fails;
- the kernel works in a folder of its own, with hash seed, time zone and locale pinned;
- a cell with a `name` in its metadata is reported by that name.

How a cell ended stands in the report's user properties as `("nbval_guard", …)`: "died", "over its time" or
"blocked".
"""

from __future__ import annotations

from collections.abc import Generator
from functools import partial

import nbval.plugin
import pytest
from nbval.plugin import IPyNbCell, IPyNbFile, RunningKernel

from .guarded_kernel import Budget, CellStopped, GuardedKernel

PROPERTY = "nbval_guard"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two limits."""
    group = parser.getgroup("nbval guard", "limits for notebooks under nbval")
    group.addoption(
        "--nbval-budget", type=float, default=600.0, metavar="SECONDS", help="Time for a whole notebook."
    )
    group.addoption(
        "--nbval-output-cap", type=int, default=1_000_000, metavar="BYTES", help="Output kept of one cell."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let nbval start guarded kernels."""
    budget = Budget(
        notebook=config.getoption("--nbval-budget"),
        cell=config.getoption("--nbval-cell-timeout"),
        output=config.getoption("--nbval-output-cap"),
    )
    nbval.plugin.RunningKernel = partial(GuardedKernel, budget=budget)


def pytest_unconfigure() -> None:
    """Leave nbval as it was."""
    nbval.plugin.RunningKernel = RunningKernel


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Name the cells that have a name, and take stderr out of what they are compared with."""
    for position, item in enumerate(items):
        if not isinstance(item, IPyNbCell):
            continue
        item.cell.outputs = [output for output in item.cell.outputs if output.get("name") != "stderr"]
        name = item.cell.metadata.get("name")
        if isinstance(name, str) and name:
            items[position] = IPyNbCell.from_parent(
                item.parent, name=name, cell_num=item.cell_num, cell=item.cell, options=item.options
            )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Run one cell within its limits."""
    if not isinstance(item, IPyNbCell) or item.options["skip"]:
        return (yield)
    kernel: GuardedKernel = item.parent.kernel
    if kernel.ended:
        item.user_properties.append((PROPERTY, "blocked"))
        item.raise_cell_error(f"blocked: {kernel.ended}")
    kernel.begin(item.name)
    try:
        result = yield
    except CellStopped as stopped:
        item.user_properties.append((PROPERTY, stopped.how))
        item.raise_cell_error(str(stopped))
    finally:
        item.parent.timed_out = False  # else nbval lets the cells after this one pass whatever they do
    if item.options["check_exception"] and not any(out.output_type == "error" for out in item.test_outputs):
        item.raise_cell_error("this cell must raise an exception, and raised none")
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """Remove the kernel's folder when its notebook is done, whether or not the kernel lives."""
    yield
    file = item.parent
    done = nextitem is None or nextitem.parent is not file
    if done and isinstance(file, IPyNbFile) and isinstance(file.kernel, GuardedKernel):
        file.kernel.stop()
