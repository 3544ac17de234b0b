"""`forge night`: what it prints, what it leaves, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from forge.cli import app
from forge.errors import InvalidValue
from forge.longrun import load_state
from forge.longrun.selfchecks import CHECKS
from forge.longrun.store import temp_path


def run(*args: object) -> Result:
    return CliRunner().invoke(app, ["night", *map(str, args)])


def test_both_nights_are_compared_and_both_ledgers_are_left(tmp_path: Path) -> None:
    work = tmp_path / "work"
    result = run("--windows", 3, "--steps", 3, "--work", work)
    assert result.exit_code == 0, result.output or result.exception
    assert result.stdout.splitlines() == [
        "                              without     with",
        "features finished                   3        9",
        "steps wasted                        6        0",
        "characters said in a window     7,107    7,107",
        "characters of its opening         930    1,290",
        f"{work}/no-state/state/run.json",
        "  done: F01 F02 F03",
        f"{work}/state/run.json",
        "  done: F01 F02 F03 F04 F05 F06 F07 F08 F09",
        "Both ledgers are whole. Without the layer, nobody told the next window what its own says.",
    ]
    left = [load_state(work / "no-state" / "state"), load_state(work / "state")]
    assert [len(ledger.done) for ledger in left if ledger] == [3, 9]


def test_the_numbers_of_windows_and_steps_are_those_that_were_asked_for(tmp_path: Path) -> None:
    lines = run("--windows", 2, "--steps", 2, "--work", tmp_path).stdout.splitlines()
    assert [line.split()[-2:] for line in lines[1:3]] == [["2", "4"], ["2", "0"]]


@pytest.mark.parametrize("option", ["--windows", "--steps"])
def test_no_window_and_no_step_is_refused(option: str) -> None:
    assert run(option, 0).exit_code == 2


def test_an_earlier_night_is_not_written_over(tmp_path: Path) -> None:
    assert run("--windows", 1, "--work", tmp_path).exit_code == 0
    again = run("--windows", 1, "--work", tmp_path)
    assert isinstance(again.exception, InvalidValue)
    assert str(again.exception) == (
        f"a night has been here: {tmp_path}/no-state/state/run.json holds its ledger. "
        "Name another folder with --work, or remove this one."
    )


def test_the_self_checks_are_listed_and_hold() -> None:
    result = run("--selftest")
    *lines, last = result.stdout.splitlines()
    assert result.exit_code == 0, result.stdout
    assert lines == [f"✓ {sentence}" for sentence in CHECKS]
    assert len(lines) >= 27
    assert last == f"{len(CHECKS)} of {len(CHECKS)} self-checks hold"


def test_a_self_check_that_does_not_hold_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import forge.longrun.selfchecks as checks

    broken = {
        "this does not hold": lambda _: False,
        "this fails": lambda folder: bool(temp_path(folder) / None),
    }  # type: ignore[operator]
    monkeypatch.setattr(checks, "CHECKS", broken)
    monkeypatch.setattr("forge.longrun.commands.CHECKS", broken)
    result = run("--selftest")
    assert result.exit_code == 1
    first, second, last = result.stdout.splitlines()
    assert first == "✗ this does not hold"
    assert second.startswith("✗ this fails (TypeError: ")
    assert last == "0 of 2 self-checks hold"
