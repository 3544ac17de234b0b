"""`forge versions`: what it prints, and what it says when it cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from forge.cli import app
from forge.errors import ForgeError
from forge.versions import club_repository, temporal_view


@pytest.fixture
def club(tmp_path: Path) -> Path:
    path = tmp_path / "club.sqlite"
    club_repository(path, durable=False).close()
    return path


def run(*args: object) -> Result:
    return CliRunner().invoke(app, ["versions", *map(str, args)])


def printed(*args: object) -> list[str]:
    result = run(*args)
    assert result.exit_code == 0, result.output or result.exception
    return result.stdout.splitlines()


def refused(*args: object) -> str:
    result = run(*args)
    assert isinstance(result.exception, ForgeError), result.output
    return str(result.exception)


def test_a_question_is_answered_with_its_source_and_its_view(club: Path) -> None:
    expected = ["✓ Tuesday 16:00", "  schedule@1, after 6 events, on 2026-10-13"]
    question = ("ask", "meeting time", "--as-of", 6, "--on", "2026-10-13")
    assert printed(*question, "--file", club) == expected
    assert printed(*question) == expected, "without a file it is the club's memory"


def test_a_question_that_no_document_in_force_answers_gets_no_answer(club: Path) -> None:
    assert printed("ask", "camera loan", "--as-of", 9, "--on", "2026-10-13", "--file", club) == [
        "○ no answer: no document in force says it after 9 events, on 2026-10-13"
    ]


@pytest.mark.parametrize("count", [0, 6, 12])
def test_replay_prints_the_state_of_a_prefix_as_json(club: Path, count: int) -> None:
    with club_repository(club) as repository:
        state = repository.replay(count)
    [line] = printed("replay", "--file", club, "--as-of", count, "--json")
    assert json.loads(line) == state
    [line] = printed("replay", "--file", club, "--as-of", count, "--on", "2026-10-16", "--json")
    assert json.loads(line) == temporal_view(state, "2026-10-16")


def test_replay_names_every_version_and_every_memory_with_its_status(club: Path) -> None:
    assert printed("replay", "--file", club, "--as-of", 9, "--on", "2026-10-16") == [
        "after 9 events, on 2026-10-16",
        "  access@1             expired        Getting into the workshop",
        "  camera@1             revoked        Borrowing the camera",
        "  location@1           active         Where we meet",
        "  project@1            active         What the project may use",
        "  schedule@1           superseded     When we meet",
        "  schedule@2           active         When we meet",
        "  club/answer order@2  active         the grounds first",
    ]
    assert printed("replay", "--as-of", 0) == ["after 0 events", "  nothing is known"]
    assert printed("replay")[0] == "after 12 events"


def test_verify_prints_the_anchor_to_keep(club: Path) -> None:
    with club_repository(club) as repository:
        head = repository.anchor().head
    assert printed("verify", club) == [
        "✓ club.sqlite holds 12 events, and its snapshot is the state they lead to",
        f"  anchor 12:{head}",
    ]


def test_verify_says_what_does_not_hold(club: Path) -> None:
    with club_repository(club, durable=False) as repository:
        repository.db.execute("UPDATE snapshot SET row = replace(row, 'superseded', 'active')")
    assert refused("verify", club).startswith(
        "the snapshot differs from the events: the line of documents location 1 is another."
    )


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("replay", "--as-of", 13), "historical prefix: the log holds 12 events, as_of is 13."),
        (("replay", "--as-of", -1), "historical prefix: the log holds 12 events, as_of is -1."),
        (
            ("replay", "--on", "2026-1-1"),
            "a date was refused: expected a date as YYYY-MM-DD, found '2026-1-1'.",
        ),
        (("ask", "?", "--as-of", 1, "--on", "2026-10-13"), "a question was refused"),
    ],
)
def test_what_cannot_be_asked_is_said_in_one_sentence(args: tuple[object, ...], words: str) -> None:
    assert refused(*args).startswith(words)


def test_a_question_without_its_view_is_not_asked() -> None:
    assert run("ask", "meeting time", "--as-of", 6).exit_code == 2
    assert run("ask", "meeting time", "--on", "2026-10-13").exit_code == 2
