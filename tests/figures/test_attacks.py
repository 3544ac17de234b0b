from __future__ import annotations

from pathlib import Path

import pytest

from forge.figures import attack_bench
from forge.figures.attacks import ATTACKS, Outcome, carry_out

CHECKS = ("no hash", "chain", "chain + anchor")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    folder = tmp_path_factory.mktemp("attacks")
    return {attack.name: carry_out(attack, folder / f"{attack.name}.jsonl") for attack in ATTACKS}


@pytest.mark.parametrize(
    ("attack", "seen_by"),
    [
        ("edit", ("chain", "chain + anchor")),
        ("delete", CHECKS),
        ("delete, renumber", ("chain", "chain + anchor")),
        ("cut the tail", ("chain + anchor",)),
        ("fork", CHECKS),
        ("recompute everything", ("chain + anchor",)),
        ("the anchor as well", ()),
    ],
)
def test_each_attack_is_seen_by_these_checks_and_no_other(
    attack: str, seen_by: tuple[str, ...], outcomes: dict[str, Outcome]
) -> None:
    assert tuple(check for check, words in outcomes[attack].checks.items() if words) == seen_by


def test_the_bench_knows_these_attacks_and_no_other(outcomes: dict[str, Outcome]) -> None:
    assert len(outcomes) == 7


def test_the_words_are_those_of_the_error_that_was_raised(outcomes: dict[str, Outcome]) -> None:
    assert outcomes["edit"].checks["chain"] == "journal record hash mismatch at line 3"
    assert outcomes["delete"].checks["chain"] == "journal hash chain broken at line 3"
    assert outcomes["fork"].checks["chain"] == "journal hash chain broken at line 4"
    assert outcomes["delete"].checks["no hash"] == "event sequence must be contiguous"
    assert outcomes["cut the tail"].checks["chain + anchor"] == "journal does not match its anchor"


def test_an_attack_that_a_reader_without_hashes_misses_gives_the_permission_back(
    outcomes: dict[str, Outcome],
) -> None:
    for outcome in outcomes.values():
        assert outcome.may_write is (True if outcome.checks["no hash"] is None else None)


def test_every_attack_changes_the_file(outcomes: dict[str, Outcome], tmp_path: Path) -> None:
    contents = set()
    for attack in ATTACKS:
        carry_out(attack, tmp_path / attack.name)
        contents.add((tmp_path / attack.name).read_bytes())
    assert len(contents) == len(ATTACKS) - 1, "only the attack on the anchor writes a log like another"


def test_the_board_shows_a_row_an_attack_and_a_column_a_check() -> None:
    board = attack_bench()
    assert board.columns == ("attack", *CHECKS)
    rows = {label.split("\n")[0]: cells for label, cells in board.rows}
    assert rows["cut the tail"] == ["✗ sees nothing", "✗ sees nothing", "✓ journal does not match its anchor"]
    assert len(rows) == len(ATTACKS)


def test_two_benches_say_the_same_and_no_path() -> None:
    assert attack_bench()._repr_mimebundle_() == attack_bench()._repr_mimebundle_()
    assert ".jsonl" not in attack_bench().text()
