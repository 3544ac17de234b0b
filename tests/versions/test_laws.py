"""What holds for every history: drawn at random, refused events among them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.chain import thaw
from forge.errors import ContractError
from forge.versions import (
    EMPTY,
    Event,
    Repository,
    RevokeDocument,
    RevokeMemory,
    State,
    WriteMemory,
    active_docs,
    active_memories,
    canonical,
    import_document,
    reduce_event,
    replay_prefix,
    sha,
    spans,
    temporal_view,
)

DAYS = ["2026-02-28", "2026-03-01", "2026-10-13", "2026-10-16", "2027-01-01"]
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
versions = st.integers(1, 6)


@st.composite
def imports(draw: st.DrawFn) -> Event:
    days = sorted(draw(st.lists(st.sampled_from(DAYS), min_size=2, max_size=2, unique=True)))
    begins, ends = (day if draw(st.booleans()) else None for day in days)
    doc_id, text = draw(st.sampled_from("ab")), draw(TEXT)
    return import_document(
        doc_id, draw(versions), "A title", text, effective_from=begins, effective_until=ends
    )


names = st.sampled_from(["a", "b", "a/b", "b/c", "c"])
events: st.SearchStrategy[Event] = st.one_of(
    imports(),
    st.builds(RevokeDocument, doc_id=st.sampled_from("ab"), version=versions),
    st.builds(WriteMemory, key=names, value=TEXT, scope=names, version=versions, approved=st.just(True)),
    st.builds(RevokeMemory, key=names, scope=names, version=versions),
)
histories = st.lists(events, max_size=15)


def accepted(history: list[Event]) -> list[tuple[Event, State]]:
    """The events that are accepted, each with the state after it."""
    state, found = EMPTY, []
    for event in history:
        try:
            state = reduce_event(state, event)
        except ContractError:
            continue
        found.append((event, state))
    return found


def outcome(state: State, event: Event) -> State | str:
    try:
        return reduce_event(state, event)
    except ContractError as error:
        return str(error)


def rows_of(history: list[Event]) -> list[dict[str, Any]]:
    rows, previous = [], "0" * 64
    for seq, event in enumerate(history):
        fields = dict(event)
        digest = sha(canonical({"seq": seq, "previous": previous, "event": fields}))
        rows.append({"seq": seq, "previous": previous, "sha": digest, "payload": canonical(fields)})
        previous = digest
    return rows


@given(histories)
def test_at_most_one_version_of_a_document_is_active_and_it_is_the_last(history: list[Event]) -> None:
    for _, state in accepted(history):
        for rows in state["documents"].values():
            numbers = [row["version"] for row in rows.values()]
            assert numbers == sorted(set(numbers))
            assert [str(number) for number in numbers] == list(rows)
            found = [row["version"] for row in rows.values() if row["status"] == "active"]
            assert found in ([], numbers[-1:])


@given(histories)
def test_no_event_brings_back_what_was_superseded_or_revoked(history: list[Event]) -> None:
    before: State = EMPTY
    for _, after in accepted(history):
        for doc_id, rows in before["documents"].items():
            for version, row in rows.items():
                now = after["documents"][doc_id][version]
                assert now["text"] == row["text"]
                assert row["status"] == "active" or now == row
        before = after


@given(histories, events)
def test_an_event_changes_neither_the_state_before_nor_an_earlier_view(
    history: list[Event], event: Event
) -> None:
    kept = accepted(history)
    shown = [thaw(state) for _, state in kept]
    accepted([each for each, _ in kept] + [event])
    assert [thaw(state) for _, state in kept] == shown
    rows = rows_of([each for each, _ in kept])
    for count, (_, state) in enumerate(kept, start=1):
        assert replay_prefix(rows, count) == state


@given(histories, events, st.integers(8, 11))
def test_a_state_that_went_through_json_takes_events_as_before(
    history: list[Event], event: Event, number: int
) -> None:
    later = [import_document("a", version, "A title", "- a: b") for version in range(9, number + 1)]
    state = (accepted([*history, *later]) or [(event, EMPTY)])[-1][1]
    read = json.loads(canonical(state))
    before = canonical(read)
    for each in (
        event,
        import_document("a", 12, "A title", "- a: b"),
        RevokeDocument(doc_id="a", version=10),
    ):
        found = [outcome(known, each) for known in (state, read)]
        assert found[0] == found[1]
    assert canonical(read) == before
    assert active_docs(read) == active_docs(state)


@given(histories, st.sampled_from(DAYS))
def test_a_date_view_changes_nothing_and_only_the_status_of_what_was_active(
    history: list[Event], day: str
) -> None:
    for _, state in accepted(history):
        before = thaw(state)
        view = temporal_view(state, day)
        assert thaw(state) == before
        assert view["memories"] == state["memories"]
        assert temporal_view(view, day) == view
        for doc_id, rows in state["documents"].items():
            for version, row in rows.items():
                seen = view["documents"][doc_id][version]
                assert {**seen, "status": None} == {**row, "status": None}
                if row["status"] == "active":
                    begins, ends = row["effective_from"] or "", row["effective_until"] or "~"
                    assert (seen["status"] == "active") == (begins <= day < ends)
                else:
                    assert seen == row


@given(histories)
@settings(max_examples=25, deadline=None)
def test_a_file_gives_back_what_was_appended_at_every_prefix(history: list[Event]) -> None:
    kept = accepted(history)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.sqlite"
        with Repository(path, durable=False) as repository:
            for event, _ in kept:
                repository.append(event)
        with Repository(path, durable=False) as again:
            states = [EMPTY, *(state for _, state in kept)]
            assert [again.replay(count) for count in range(len(kept) + 1)] == states
            assert again.events() == tuple(event for event, _ in kept)


@given(histories)
def test_a_span_covers_the_prefixes_at_which_its_version_is_active(history: list[Event]) -> None:
    kept = accepted(history)
    found = spans(event for event, _ in kept)
    for count, (_, state) in enumerate(kept, start=1):
        known = {
            (span.row, span.values["version"])
            for span in found
            if span.prefix_from <= count and (span.prefix_to is None or count < span.prefix_to)
        }
        documents = {(row["doc_id"], row["version"]) for row in active_docs(state)}
        memories = {(f"{row['scope']}/{row['key']}", row["version"]) for row in active_memories(state)}
        assert {(row, version) for row, version in known if "/" not in row} == documents
        assert {(row, version) for row, version in known if "/" in row} == memories
    assert all(span.prefix_to is None or span.prefix_from < span.prefix_to for span in found)


def changed(value: object, place: int) -> object:
    if isinstance(value, int):
        return value + 1 + place
    assert isinstance(value, str)
    place %= max(1, len(value))
    other = "x" if value[place : place + 1] != "x" else "y"
    return value[:place] + other + value[place + 1 :]


@given(histories.filter(lambda history: bool(accepted(history))), st.data())
@settings(max_examples=40, deadline=None)
def test_any_changed_character_of_log_or_snapshot_is_refused(
    history: list[Event], data: st.DataObject
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.sqlite"
        with Repository(path, durable=False) as repository:
            for event, _ in accepted(history):
                repository.append(event)
            table = data.draw(st.sampled_from(["events", "snapshot"]))
            rows = repository.db.execute(f"SELECT rowid AS place, * FROM {table}").fetchall()
            row = data.draw(st.sampled_from(rows))
            column = data.draw(st.sampled_from(row.keys()[1:]))
            value = changed(row[column], data.draw(st.integers(0, 400)))
            try:
                repository.db.execute(
                    f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, row["place"])
                )
            except sqlite3.IntegrityError:
                return  # the row beside it has that key already
            with pytest.raises(ContractError):
                repository.replay()
        with pytest.raises(ContractError):
            Repository(path, durable=False)


SPOILED: list[Callable[[str], object]] = [
    lambda text: text.encode() + b"\xff",
    lambda text: text.encode(),
    lambda text: text + " ",
    lambda text: text.replace("a", "\\u0061", 1),
    lambda text: "",
]


@pytest.mark.parametrize("spoil", SPOILED)
@pytest.mark.parametrize(
    ("table", "column"), [("events", "payload"), ("events", "sha"), ("snapshot", "row"), ("snapshot", "id")]
)
def test_other_bytes_and_other_types_are_refused_too(
    tmp_path: Path, table: str, column: str, spoil: Callable[[str], object]
) -> None:
    with Repository(tmp_path / "memory.sqlite", durable=False) as repository:
        repository.append(import_document("a", 1, "A", "- a: b"))
        [(text,)] = repository.db.execute(f"SELECT {column} FROM {table}").fetchall()
        value = spoil(text)
        if value == text:
            return
        cast = "CAST(? AS TEXT)" if value == text.encode() + b"\xff" else "?"
        repository.db.execute(f"UPDATE {table} SET {column} = {cast}", (value,))
        with pytest.raises(ContractError):
            repository.replay()
    with pytest.raises(ContractError):
        Repository(tmp_path / "memory.sqlite", durable=False)
