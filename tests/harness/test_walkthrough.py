"""forge walkthrough: its lines, and that it comes to the same end after a kill at any step."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from forge.cli import app
from forge.harness.facts import StoredFact
from forge.harness.manifest import verify_manifest
from forge.harness.proof import LOSER, STEPS, WINNER
from forge.harness.read_back import Paths
from forge.harness.remote_memory import RemoteMemoryStore
from forge.harness.walkthrough import WALK, walkthrough

CHILD = Path(__file__).with_name("proof_child.py")
LINES = [
    "tool_use → tool_result → final text",
    "query → recall → select → context",
    "select → durable proof → compact",
    "tool → transcript/memory → restart",
    "retry: OK, memory_records=reused, remote_records=2",
    "rag memory harness: OK",
]


def test_the_command_prints_its_six_lines_and_the_path_of_a_manifest(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["walkthrough", "--workspace", str(tmp_path / "w")])
    assert result.exit_code == 0, result.output or result.exception
    lines = result.stdout.splitlines()
    assert [line for line in lines if not line.startswith("  ")] == LINES
    [path] = [line.removeprefix("  manifest: ") for line in lines if line.startswith("  manifest: ")]
    verify_manifest(tmp_path / "w", path)
    assert "  memory_records=new, remote_records=2" in lines


def test_run_again_in_the_same_workspace_it_reuses_its_records(tmp_path: Path) -> None:
    for expected in ("new", "reused"):
        lines = list(walkthrough(tmp_path))
        assert f"  memory_records={expected}, remote_records=2" in lines
        assert LINES[4] in lines
    assert len(list(Paths.of(tmp_path).manifests.glob("*.json"))) == 4


SOME = [
    "loop",
    "first session",
    "first memory",
    "first select",
    "first tool",
    "first manifest",
    "retry memory",
]


def test_the_steps_are_those_of_the_loop_and_of_two_attempts(tmp_path: Path) -> None:
    assert set(SOME) <= set(WALK)
    assert len(WALK) == 1 + 2 * len(STEPS)
    found: list[str] = []
    list(walkthrough(tmp_path, on_step=found.append))
    assert tuple(found) == WALK


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
@pytest.mark.parametrize("step", WALK if os.environ.get("FORGE_SWEEP") else SOME)
def test_killed_at_any_step_and_run_again_it_comes_to_the_same_end(tmp_path: Path, step: str) -> None:
    command = [sys.executable, str(CHILD), "walkthrough", str(tmp_path), step]
    killed = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert LINES[-1] not in killed.stdout
    lines = list(walkthrough(tmp_path))
    assert [line for line in lines if not line.startswith("  ")] == LINES
    assert list(RemoteMemoryStore(Paths.of(tmp_path).remote)) == [StoredFact.of(WINNER), StoredFact.of(LOSER)]
    wrote = step not in ("loop", "first session")
    assert f"  memory_records={'reused' if wrote else 'new'}, remote_records=2" in lines


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
@pytest.mark.parametrize("number", range(1, 60) if os.environ.get("FORGE_SWEEP") else [6, 9, 11, 14])
def test_killed_in_the_middle_of_any_write_and_run_again_it_comes_to_the_same_end(
    tmp_path: Path, number: int
) -> None:
    command = [sys.executable, str(CHILD), "walkthrough", str(tmp_path), f"append:{number}"]
    killed = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert killed.returncode in (-signal.SIGKILL, 0), killed.stderr
    assert killed.returncode != 0 or number > 40, "so many writes there are"
    lines = list(walkthrough(tmp_path))
    assert [line for line in lines if not line.startswith("  ")] == LINES
    assert list(RemoteMemoryStore(Paths.of(tmp_path).remote)) == [StoredFact.of(WINNER), StoredFact.of(LOSER)]
