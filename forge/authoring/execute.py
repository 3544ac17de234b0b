"""Run a notebook in a kernel of this interpreter, and keep of its outputs what is the same every time."""

from __future__ import annotations

import copy
import sys
import tempfile
from typing import Any

import nbformat
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from .. import resources
from ..errors import BuildFailed
from . import traces
from .cells import Source
from .child import environment

CELL_SECONDS = 60
"""A cell that runs longer fails the build."""

_SCRATCH = ("IPYTHONDIR", "TMPDIR", "TEMP", "TMP")
_VIEW = "application/vnd.jupyter.widget-view+json"


class _ThisInterpreter(AsyncKernelManager):
    """Starts the interpreter that runs the build, whatever kernelspecs the user has installed."""

    @property
    def kernel_spec(self) -> KernelSpec:
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, display_name="Python 3", language="python")


def execute(notebook: nbformat.NotebookNode, source: Source) -> None:
    """Fill in the outputs.

    The kernel runs in the notebooks' folder, as it does for a learner and for nbval, but keeps no evidence.
    A cell that raises, takes longer than `CELL_SECONDS`, shows a widget without HTML beside it or prints
    what another run would print differently raises `BuildFailed` with the source's file and line.
    """
    metadata = copy.deepcopy(notebook.metadata)  # the client adds the language's version and the widgets
    with tempfile.TemporaryDirectory(prefix="forge-build-") as scratch:
        client = NotebookClient(
            notebook,
            timeout=CELL_SECONDS,
            kernel_name="python3",
            kernel_manager_class=_ThisInterpreter,
            store_widget_state=False,
            record_timing=False,
            coalesce_streams=True,
            extra_arguments=["--log-level=ERROR"],
            resources={"metadata": {"path": str(resources.root() / "notebooks")}},
        )
        try:
            client.execute(env={**environment(), **dict.fromkeys(_SCRATCH, scratch)})
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            raise _failure(notebook, source, error) from None
    count = 0
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        cell.metadata.pop("execution", None)
        count += 1
        cell.execution_count = count
        for output in cell.outputs:
            _settle(output, count)
            if problem := _problem(output):
                raise source.cells[index].refused(problem, "Mend the cell, or what it calls.")
    notebook.metadata = metadata


def _failure(notebook: nbformat.NotebookNode, source: Source, error: Exception) -> BuildFailed:
    for cell, origin in zip(notebook.cells, source.cells, strict=True):
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                words = f"a cell raised {output.ename}: {output.evalue}"
                return origin.refused(words, "A notebook is built only when every cell runs.")
    last = [n for n, cell in enumerate(notebook.cells) if cell.get("execution_count") is not None]
    origin = source.cells[min(max(last, default=-1) + 1, len(source.cells) - 1)]
    words = (
        f"a cell ran longer than {CELL_SECONDS} s"
        if isinstance(error, CellTimeoutError)
        else "the kernel died"
    )
    return origin.refused(words, "It is this cell or the one before it.")


def _settle(output: Any, count: int) -> None:
    if output.output_type == "execute_result":
        output.execution_count = count
    data = output.get("data", {})
    if "text/html" in data:
        data.pop(_VIEW, None)


def _problem(output: Any) -> str:
    if _VIEW in output.get("data", {}):
        return "a widget has no HTML beside it"
    found = traces.find("\n".join(texts(output)))
    return f"an output holds {found}" if found else ""


def texts(output: Any) -> list[str]:
    """Everything in an output that is text, as it is stored."""
    if output.output_type == "stream":
        return [output.text]
    return [value if isinstance(value, str) else str(value) for value in output.get("data", {}).values()]
