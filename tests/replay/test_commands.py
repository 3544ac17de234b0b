"""`forge replay` and `forge journal`: what they print, and what they say when they cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from forge.cli import app
from forge.errors import ForgeError
from forge.replay import EventJournal
from forge.state import reduce_events
from tests.replay.runs import content, event, events, spaced


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "run-1.jsonl"
    path.write_bytes(content(4))
    return path


def run(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args])


def printed(*args: object) -> list[str]:
    result = run(*args)
    assert result.exit_code == 0, result.output or result.exception
    return result.stdout.splitlines()


def refused(*args: object) -> str:
    result = run(*args)
    assert isinstance(result.exception, ForgeError), result.output
    return str(result.exception)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_replay_prints_the_state_at_a_prefix_as_json(journal: Path, n: int) -> None:
    [line] = printed("replay", journal, "--as-of", n, "--json")
    assert json.loads(line) == reduce_events(events(n)).model_dump(mode="json")


def test_replay_without_a_prefix_is_that_of_all_events(journal: Path) -> None:
    assert printed("replay", journal, "--json") == printed("replay", journal, "--as-of", 4, "--json")


def test_replay_prints_a_state_that_can_be_read(journal: Path) -> None:
    assert printed("replay", journal, "--as-of", 2) == [
        "run-1 after event 2",
        "  status          running",
        "  version         2",
        "  last_event_id   run-1-e2",
        "  current_step    feature 2",
        "  write_allowed   yes",
        "  failure_reason  -",
    ]


def test_before_the_first_event_there_is_no_state(journal: Path) -> None:
    assert printed("replay", journal, "--as-of", 0, "--json") == ["null"]
    assert printed("replay", journal, "--as-of", 0) == [
        "run-1.jsonl, before the first event: there is no state"
    ]


@pytest.mark.parametrize(
    ("n", "words"), [(5, "no such prefix: run-1.jsonl holds 4 events"), (-1, "--as-of was")]
)
def test_a_prefix_that_does_not_exist_is_refused(journal: Path, n: int, words: str) -> None:
    assert words in refused("replay", journal, "--as-of", n)


def test_what_comes_after_the_prefix_is_not_looked_at(journal: Path) -> None:
    journal.write_bytes(content(4)[:-30])
    assert printed("replay", journal, "--as-of", 3)[0] == "run-1 after event 3"
    assert "torn line" in refused("replay", journal)


def test_verify_prints_the_anchor_that_it_takes(journal: Path) -> None:
    held, anchor = printed("journal", "verify", journal)
    assert held == "✓ run-1.jsonl holds 4 events of run-1"
    remembered = anchor.split()[-1]
    assert remembered == f"4:{EventJournal(journal).anchor().head}"

    assert printed("journal", "verify", journal, "--anchor", remembered) == [
        f"{held}, as the anchor of 4 remembers",
        anchor,
    ]
    journal.write_bytes(content(3))
    assert "holds 3 records, the anchor remembers 4" in refused(
        "journal", "verify", journal, "--anchor", remembered
    )


def test_verify_tells_what_is_wrong_and_where(journal: Path) -> None:
    journal.write_bytes(content(4).replace(b"feature 3", b"feature 7"))
    assert refused("journal", "verify", journal).startswith("journal record hash mismatch at line 3: byte ")


@pytest.mark.parametrize("anchor", ["", "4", "4:abc", "x:" + "a" * 64, "4:" + "A" * 64, "4:" + "0" * 64])
def test_an_anchor_that_verify_never_prints_is_refused(journal: Path, anchor: str) -> None:
    assert "was refused" in refused("journal", "verify", journal, "--anchor", anchor)


def test_repair_moves_a_torn_line_aside_once(journal: Path) -> None:
    journal.write_bytes(content(4)[:-30])
    torn = len(content(4)) - len(content(3)) - 30
    assert printed("journal", "repair", journal) == [
        "✓ run-1.jsonl keeps 3 events",
        f"  {torn} bytes of an unfinished one were moved to run-1.jsonl.torn-{len(content(3))}",
    ]
    assert journal.read_bytes() == content(3)
    assert printed("journal", "repair", journal) == [
        "✓ run-1.jsonl does not end in a torn line; nothing was changed"
    ]


def test_repair_refuses_to_give_up_what_an_anchor_remembers(journal: Path) -> None:
    remembered = printed("journal", "verify", journal)[1].split()[-1]
    journal.write_bytes(content(4)[:-30])
    assert "the anchor remembers 4" in refused("journal", "repair", journal, "--after", remembered)
    assert journal.read_bytes() == content(4)[:-30]


def test_convert_rewrites_in_place_and_says_where_the_old_bytes_are(journal: Path) -> None:
    journal.write_bytes(spaced(4))
    assert printed("journal", "convert", journal) == [
        "✓ run-1.jsonl holds 4 events, 4 of them rewritten",
        "  the old bytes are in run-1.jsonl.before-convert",
    ]
    assert journal.read_bytes() == content(4)
    assert printed("journal", "convert", journal) == [
        "✓ run-1.jsonl is canonical already; nothing was changed"
    ]


def test_convert_writes_a_new_file_when_asked_to(journal: Path) -> None:
    journal.write_bytes(spaced(1) + b"{")
    assert printed("journal", "convert", journal, "--to", journal.with_name("new.jsonl")) == [
        "✓ new.jsonl holds 1 event, 1 of them rewritten",
        "  the old bytes are in run-1.jsonl",
        "  it ends in 1 bytes of an unfinished line: forge journal repair moves them",
    ]
    assert journal.read_bytes() == spaced(1) + b"{"


def test_text_in_an_event_is_printed_as_it_is(journal: Path) -> None:
    EventJournal(journal).append(event(5, step="[bold]a[/bold] :smile: " + "long " * 60))
    [line] = printed("replay", journal, "--json")
    assert json.loads(line)["current_step"] == ("[bold]a[/bold] :smile: " + "long " * 60).strip()


@pytest.mark.parametrize(
    "command", [("replay",), ("journal", "verify"), ("journal", "repair"), ("journal", "convert")]
)
def test_a_journal_that_does_not_exist_is_named(tmp_path: Path, command: tuple[str, ...]) -> None:
    result = run(*command, tmp_path / "none.jsonl")
    assert result.exit_code == 2
    assert "does not exist" in result.output
    assert list(tmp_path.iterdir()) == []
