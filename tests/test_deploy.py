"""The configuration of JupyterHub that docs/ gives: it makes the working copy, then starts the server."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from forge import resources

CONFIG = resources.root() / "docs" / "jupyterhub_config.py"


def configured() -> dict[str, Any]:
    found: dict[str, Any] = defaultdict(SimpleNamespace)
    names = {"get_config": lambda: SimpleNamespace(**{name: found[name] for name in SECTIONS})}
    exec(compile(CONFIG.read_text(encoding="utf-8"), str(CONFIG), "exec"), names)
    return found


SECTIONS = ("JupyterHub", "ConfigurableHTTPProxy", "Spawner", "Authenticator")


def program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="JupyterHub does not run on Windows")
def test_a_learners_server_starts_on_a_working_copy_of_the_course(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    program(tmp_path / "bin" / "python", f'exec {sys.executable} "$@"')
    program(tmp_path / "bin" / "jupyterhub-singleuser", 'echo "$@ in $JUPYTER_DATA_DIR"')
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path / "ada"))
    command = configured()["Spawner"].cmd
    done = subprocess.run([*command, "--port=1"], capture_output=True, text=True, check=True)
    copy = tmp_path / "ada" / "my_forge"
    assert done.stdout.strip() == f"--port=1 in {copy / '.forge' / 'data'}"
    assert (copy / "01_state_and_events.ipynb").is_file()


def test_nobody_enters_without_a_password_unless_it_is_a_trial_on_loopback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORGE_HUB_LEARNERS", "ada bob")
    found = configured()
    assert found["JupyterHub"].authenticator_class == "pam"
    assert found["Authenticator"].allowed_users == {"ada", "bob"}
    assert found["JupyterHub"].bind_url.startswith("http://127.0.0.1")
    monkeypatch.setenv("FORGE_HUB_TRIAL", "1")
    assert configured()["JupyterHub"].authenticator_class == "dummy"
    monkeypatch.setenv("FORGE_HUB_URL", "http://0.0.0.0:8000")
    with pytest.raises(SystemExit, match="open to anybody"):
        configured()
