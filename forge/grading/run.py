"""Run one composed notebook under nbval and its guard, and record how each cell ended."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from nbval.plugin import IPyNbCell, IPyNbFile

from .guard import PROPERTY
from .inside.judged import MIME
from .sandbox import python_paths

FORGE = "/forge"
"""Where the sandbox shows the forge that answers are judged with."""

_OPTIONS = ("--nbval", "--nbval-kernel-name=forge-graded", "--disable-plugin-autoload", "-q", "--color=no")
_PLUGINS = ("-pnbval.plugin", "-pforge.grading.guard")
_WITHOUT = ("cacheprovider", "faulthandler", "unraisableexception", "threadexception", "logging", "junitxml")


@dataclass(frozen=True)
class Seen:
    """One cell: whether nbval let it pass, how it was stopped and why, if it was, and its probe values."""

    name: str
    passed: bool
    how: str
    words: str
    shown: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Times:
    """Seconds for a notebook and for one cell."""

    notebook: float = 90.0
    cell: float = 10.0


@dataclass
class _Recorder:
    """Keeps how cells end. Only the probe's value counts in nbval's comparison: printing costs nothing."""

    seen: list[Seen] = field(default_factory=list)

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        if isinstance(collector, IPyNbFile):
            collector.skip_compare = _AllBut()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if isinstance(item, IPyNbCell) and (call.when == "call" or report.failed):
            how = dict(item.user_properties).get(PROPERTY, "")
            words = str(call.excinfo.value) if call.excinfo else ""
            outputs = [output.get("data", {}) for output in item.test_outputs or ()]
            shown = tuple(data[MIME] for data in outputs if MIME in data)
            self.seen.append(Seen(item.name, report.passed, str(how), words, shown))
        return report


class _AllBut(tuple[str, ...]):
    """The kinds of output that nbval does not compare: all but the probe's."""

    __slots__ = ()

    def __contains__(self, key: object) -> bool:
        return key not in {"data", MIME}


@contextlib.contextmanager
def kernels(forge: Path, *, sandbox: bool) -> Iterator[None]:
    """Install the kernel that `run` uses, with that forge, for the length of a block."""
    with tempfile.TemporaryDirectory(prefix="forge-kernels-") as folder:
        spec = Path(folder) / "kernels" / "forge-graded" / "kernel.json"
        spec.parent.mkdir(parents=True)
        spec.write_text(json.dumps(kernelspec(forge, sandbox=sandbox)), encoding="utf-8")
        before = os.environ.get("JUPYTER_PATH")
        os.environ["JUPYTER_PATH"] = folder
        try:
            yield
        finally:
            os.environ.pop("JUPYTER_PATH")
            if before is not None:
                os.environ["JUPYTER_PATH"] = before


def kernelspec(forge: Path, *, sandbox: bool) -> dict[str, Any]:
    """The kernel that runs answers: with nothing around it, or, if so wished, as any other kernel."""
    environment = {
        "PYTHONPATH": FORGE if sandbox else str(forge),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "FORGE_GRADING": "1",
        "IPYTHONDIR": "/tmp/ipython" if sandbox else str(forge / ".ipython"),
    }
    found: dict[str, Any] = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "forge, graded",
        "language": "python",
        "env": environment,
    }
    found["argv"] += ["--HistoryManager.enabled=False", "--IPKernelApp.log_level=50"]
    if sandbox:
        config = {"shown": {FORGE: str(forge)}, "hidden": _installed(), "environment": environment}
        found["metadata"] = {"kernel_provisioner": {"provisioner_name": "forge-sandbox", "config": config}}
    return found


def run(notebook: dict[str, Any], times: Times) -> list[Seen]:
    """Run a notebook from its first cell to its last. Needs `kernels`."""
    recorder = _Recorder()
    with tempfile.TemporaryDirectory(prefix="forge-run-") as name:
        folder = Path(name)
        path = folder / "merged.ipynb"
        path.write_text(json.dumps(notebook), encoding="utf-8")
        (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        limits = [f"--nbval-budget={times.notebook}", f"--nbval-cell-timeout={times.cell}"]
        without = [f"-pno:{plugin}" for plugin in _WITHOUT]
        places = ["-c", str(folder / "pytest.ini"), f"--rootdir={folder}", str(path)]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            pytest.main([*_PLUGINS, *_OPTIONS, *limits, *without, *places], plugins=[recorder])
    return recorder.seen


def _installed() -> list[str]:
    """The folder of the whole forge, where it is installed among the packages that the sandbox shows."""
    package = Path(__file__).resolve().parents[1]
    return [str(package)] if any(package.is_relative_to(path) for path in python_paths()) else []
