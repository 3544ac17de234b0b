"""What a program in the sandbox can see and do, and what it cannot."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from forge import resources
from forge.grading import sandbox
from forge.grading.errors import SandboxMissing, SandboxRefused
from forge.grading.sandbox import Limits, Sandbox, wrapped

from ..tools import require_tool

HOME = Path.home()
BARE = Sandbox()


@pytest.fixture(autouse=True)
def _bubblewrap() -> None:
    require_tool("bwrap")


def inside(
    program: str, shut: Sandbox = BARE, *, meeting: Path | None = None
) -> subprocess.CompletedProcess[str]:
    command = wrapped([sys.executable, "-I", "-c", program], shut, meeting=str(meeting) if meeting else None)
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def value(program: str, shut: Sandbox = BARE) -> object:
    done = inside(f"import json, os, pathlib\nprint(json.dumps({program}))", shut)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_course_the_home_and_other_processes_are_not_there() -> None:
    course = resources.root()
    hidden = [str(course / name) for name in ("solutions", "faults", "tests", "notebooks", "forge", ".git")]
    assert value(f"[p for p in {hidden} if os.path.exists(p)]") == []
    assert value("len([n for n in os.listdir('/proc') if n.isdigit()]) < 6") is True
    assert value(f"[n for n in ('.ssh', '.bash_history', '.cache') if os.path.exists('{HOME}/' + n)]") == []


def test_there_is_no_network_but_its_own_loopback() -> None:
    assert value("sorted(os.listdir('/sys/class/net')) if os.path.exists('/sys') else []") == []
    done = inside("import socket; socket.create_connection(('192.0.2.1', 80), timeout=5)")
    assert "Network is unreachable" in done.stderr


def test_only_its_own_scratch_can_be_written() -> None:
    assert (
        value("[p for p in ('/', '/usr', '/etc', '/dev', '/home', '/root') if os.access(p, os.W_OK)]") == []
    )
    assert value("pathlib.Path('/tmp/x').write_text('kept') and pathlib.Path('/tmp/x').read_text()") == "kept"
    assert value(f"os.access({str(sys.prefix)!r}, os.W_OK)") is False


def test_the_environment_is_what_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hidden")
    names = value("sorted(os.environ)", Sandbox(environment={"TZ": "UTC"}))
    assert (
        names == ["HOME", "LC_CTYPE", "MALLOC_ARENA_MAX", "PATH", "PWD", "TZ"] or "SECRET_TOKEN" not in names
    )


def test_it_cannot_become_anybody_else() -> None:
    assert value("pathlib.Path('/proc/self/status').read_text().split('CapEff:')[1].split()[0]") == "0" * 16
    assert value("pathlib.Path('/proc/self/status').read_text().split('NoNewPrivs:')[1].split()[0]") == "1"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("bytearray(3 * 10**9)", "MemoryError"),
        (
            "import os\nwhile True:\n    if os.fork() == 0:\n        import time; time.sleep(60)",
            "Resource temporarily",
        ),
        ("n = 0\nwhile True:\n    open(f'/tmp/{n}', 'wb').write(bytes(10**6)); n += 1", "No space left"),
        ("open('/dev/shm/x', 'wb').write(bytes(10**7))", "No space left"),
    ],
    ids=["memory", "processes", "disk", "shared memory"],
)
def test_what_it_takes_has_a_limit(program: str, said: str) -> None:
    assert said in inside(program, Sandbox(limits=Limits(memory=10**9, processes=30))).stderr


def test_a_path_can_be_shown_and_a_part_of_it_hidden(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "secret").touch()
    (tmp_path / "open").write_text("text")
    shut = Sandbox(shown={"/given": str(tmp_path)}, hidden=("/given/part",))
    assert value("[sorted(os.listdir('/given')), os.listdir('/given/part')]", shut) == [["open", "part"], []]


def test_nothing_it_starts_outlives_it(tmp_path: Path) -> None:
    mark = f"outlives {tmp_path}"
    assert (
        inside(
            f"import time, os\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)  # {mark}"
        ).returncode
        == 0
    )
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert mark not in listed.stdout


def test_a_missing_program_and_a_refusing_system_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sandbox.require()
    for name, text in (
        ("bwrap", "echo bwrap: No permissions to create new namespace >&2; exit 1"),
        ("prlimit", ""),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "setpriv").symlink_to("/usr/bin/setpriv")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxRefused, match="No permissions to create new namespace"):
        sandbox.require()
    (tmp_path / "bwrap").unlink()
    with pytest.raises(SandboxMissing, match="bwrap is missing"):
        sandbox.require()
