from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools import require_tool


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_a_program_is_found_under_any_of_its_names(programs: Path) -> None:
    program = programs / "google-chrome"
    program.touch(mode=0o755)
    assert require_tool("chromium") == str(program)


def test_a_test_without_its_program_is_skipped(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="not run: node is not installed"):
        require_tool("node")


def test_under_ci_a_test_without_its_program_fails(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="not run: node is not installed"):
        require_tool("node")
