"""A kernel in the sandbox, started and watched as any client does it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from forge.grading.guarded_kernel import Budget, CellStopped, GuardedKernel

from ..tools import require_tool

pytestmark = pytest.mark.slow


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GuardedKernel]:
    require_tool("bwrap")
    spec = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "sandboxed",
        "language": "python",
        "metadata": {
            "kernel_provisioner": {"provisioner_name": "forge-sandbox", "config": {"processes": 60}}
        },
    }
    folder = tmp_path / "kernels" / "sandboxed"
    folder.mkdir(parents=True)
    (folder / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    made = GuardedKernel("sandboxed", budget=Budget(notebook=60, cell=5, output=100_000))
    yield made
    made.stop()


def run(kernel: GuardedKernel, code: str) -> str:
    kernel.begin("a cell")
    name = kernel.execute_cell_input(code, allow_stdin=False)
    kernel.await_reply(name)
    said = ""
    while (message := kernel.get_message("iopub"))["msg_type"] != "status":
        said += message["content"].get("text", "") + message["content"].get("evalue", "")
    return said


def test_a_sandboxed_kernel_answers_is_interrupted_and_leaves_nothing(kernel: GuardedKernel) -> None:
    assert run(kernel, "import os; print(os.getcwd(), os.path.exists('/etc/passwd'))") == "/tmp False\n"
    with pytest.raises(CellStopped, match="the time of this cell, 5 s, was over"):
        run(kernel, "import time; time.sleep(60)")
    assert run(kernel, "print('alive')") == "alive\n"
    meeting = Path(kernel.km.connection_file).parent
    assert meeting.is_dir()
    kernel.stop()
    assert not meeting.exists()


@pytest.mark.parametrize(
    ("fill", "why"),
    [
        ("open(f'{place}/x', 'wb').write(bytes(2_000_000))", "writing into the folder of its sockets"),
        (
            "os.makedirs(f'{place}/a/b'); open(f'{place}/a/b/x', 'wb').write(bytes(2_000_000))",
            "writing into the folder of its sockets",
        ),
        ("[open(f'{place}/{n}', 'w') and None for n in range(60)]", "writing into the folder of its sockets"),
        ("[os.mkdir(f'/tmp/{n}') for n in range(21_000)]", "with more than 20000 files"),
    ],
    ids=["a file", "a file in folders", "empty files", "empty folders of its own"],
)
def test_a_kernel_that_fills_what_is_shared_is_ended(kernel: GuardedKernel, fill: str, why: str) -> None:
    meeting = Path(kernel.km.connection_file).parent
    text = f"import os, time\nplace = {str(meeting)!r}\n{fill}\ntime.sleep(60)"
    with pytest.raises(CellStopped, match=f"the kernel died in a cell, {why}"):
        run(kernel, text)
    assert kernel.ended
    assert not meeting.exists()


def test_a_message_larger_than_any_output_is_not_taken_in(kernel: GuardedKernel) -> None:
    with pytest.raises(CellStopped, match="the output of a cell did not come to its end"):
        run(kernel, "display({'text/plain': 'x' * 50_000_000}, raw=True)")
    assert kernel.ended
