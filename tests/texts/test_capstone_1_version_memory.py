"""Capstone 1: the whole texts of forge's errors, which an answer may word otherwise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from forge.errors import ContractError
from forge.versions import (
    EMPTY,
    Repository,
    RevokeDocument,
    State,
    WriteMemory,
    as_event,
    import_document,
    reduce_event,
    replay_prefix,
    temporal_view,
    verified,
)

A1, A2 = (import_document("a", version, "A", "- time: ten") for version in (1, 2))
KINDS = "import_document, revoke_document, write_memory, revoke_memory"


def told(act: Callable[..., object], *values: object) -> str:
    with pytest.raises(ContractError) as caught:
        act(*values)
    return str(caught.value)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "memory.sqlite", durable=False)
    repository.append(A1)
    repository.append(A2)
    return repository


@pytest.fixture
def state() -> State:
    return reduce_event(reduce_event(EMPTY, A1), A2)


def test_a_prefix_that_is_none_says_what_can_be_asked_for(repository: Repository) -> None:
    for found, shown in ((3, "3"), (-1, "-1"), (True, "True"), ("1", "'1'")):
        text = (
            f"historical prefix: the log holds 2 events, as_of is {shown}. "
            "Ask for a whole number from 0 to 2."
        )
        assert told(repository.replay, found) == text
        assert told(replay_prefix, repository.rows(), found) == text
    assert told(repository.ask, "time", None, "2026-10-13") == (
        "historical prefix: the log holds 2 events, as_of is None. Ask for a whole number from 0 to 2."
    )


def test_a_version_that_is_not_greater_is_told_with_the_one_that_is_held(state: State) -> None:
    assert told(reduce_event, state, A1) == (
        "a new version must be greater: a has version 2, expected more than that, found 1. "
        "What comes back, comes back as a new version."
    )


def test_a_revocation_is_told_what_is_held_and_what_it_named(state: State) -> None:
    hint = "Look at what is active, and revoke that, if it is still what you mean."
    assert told(reduce_event, state, RevokeDocument(doc_id="a", version=1)) == (
        "a revocation names the current version: a holds version 2, which is active; "
        f"version 1 was to be revoked. {hint}"
    )
    assert told(reduce_event, state, RevokeDocument(doc_id="b", version=1)) == (
        f"a revocation names the current version: b holds nothing; version 1 was to be revoked. {hint}"
    )


def test_a_row_is_told_by_its_number_and_its_column(repository: Repository) -> None:
    _, row = map(dict, repository.rows())
    first = repository.rows()[0]["sha"]
    hint = "The 1 rows before it can be trusted. Nothing is mended: bring the log back from a copy."
    for column, wrong, shown in (
        ("seq", 7, "expected seq 1, found 7"),
        ("previous", "0" * 64, f"expected previous {first[:8]}…, found 00000000…"),
        ("sha", "x", f"expected sha {row['sha'][:8]}…, found 'x'"),
        ("payload", "no json", "expected an event as canonical JSON, found 'no json'"),
    ):
        text = f"event chain corrupted: row 1: {shown}. {hint}"
        assert told(verified, {**row, column: wrong}, 1, first) == text


def test_a_lost_end_is_told_by_the_row_that_was_known(repository: Repository) -> None:
    head = repository.anchor().head[:8]
    repository.db.execute("DELETE FROM events WHERE seq = 1")
    text = (
        f"event chain corrupted: row 1 was {head}… when it was read; the log holds 1 rows now. "
        "Nothing is mended: bring the log back from a copy."
    )
    assert told(repository.replay) == text
    assert told(repository.append, import_document("a", 3, "A", "-")) == text
    repository.db.execute("DELETE FROM events")
    assert told(repository.replay, 1) == text.replace("holds 1 rows", "holds 0 rows")


def test_something_that_is_no_event_is_told_which_ones_there_are() -> None:
    for value, shown in (({"kind": "x"}, "'x'"), ({}, "None"), ("import", "'import'")):
        with pytest.raises(ContractError) as caught:
            as_event(value)
        assert str(caught.value) == f"no such event: expected one of {KINDS}, found {shown}."
        assert caught.value.evidence == {"path": "kind", "expected": KINDS, "found": shown}


def test_a_field_is_told_by_its_path() -> None:
    fields = {"key": "k", "value": "v", "scope": "s", "version": 1}
    for approved, expected in ((1, "true or false"), (False, "true")):
        assert told(lambda flag: WriteMemory(**fields, approved=flag), approved) == (
            f"WriteMemory.approved was refused: expected {expected}, found {approved}."
        )
    assert told(lambda: import_document("a", 1, "A", "-", effective_from="2026-02-30")) == (
        "ImportDocument.effective_from was refused: expected a date as YYYY-MM-DD, found '2026-02-30'."
    )
    days = {"effective_from": "2026-10-16", "effective_until": "2026-10-16"}
    assert told(lambda: import_document("a", 1, "A", "-", **days)) == (
        "ImportDocument.effective_until was refused: a@1: expected a day after 2026-10-16, "
        "found '2026-10-16'. Give a later day, or none."
    )


def test_a_day_is_told_how_it_is_written(state: State) -> None:
    assert told(temporal_view, state, "tomorrow") == (
        "a date was refused: expected a date as YYYY-MM-DD, found 'tomorrow'. "
        "Name the day; none is taken from the clock or from a text."
    )
