from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path

import pytest

from forge.errors import (
    AnotherWriter,
    ChainCorrupted,
    ContractError,
    SnapshotDiffers,
    StorageError,
    StoreBusy,
)
from forge.versions import (
    EVENTS,
    Repository,
    active_docs,
    canonical,
    club_repository,
    import_document,
    replay_prefix,
    sha,
)
from forge.versions.snapshot import lines_of

WRITER = """
import sys
from forge.versions import Repository, import_document

with Repository(sys.argv[1]) as repository:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(len(repository) + 1, 100_000):
        repository.append(import_document("a", number, "A", f"- time: {number}"))
        print(number, flush=True)
"""


def many(path: Path, count: int) -> Repository:
    repository = Repository(path, durable=False)
    for number in range(1, count + 1):
        repository.append(import_document(f"d{number % 7}", number, "A", f"- time: {number}"))
    return repository


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.sqlite"


def test_any_prefix_of_a_long_log_is_what_replaying_it_from_the_start_gives(path: Path) -> None:
    with many(path, 250) as repository:
        rows = repository.rows()
        for count in (0, 1, 49, 50, 51, 99, 100, 101, 249, 250):
            assert repository.replay(count) == replay_prefix(rows, count)
    with Repository(path) as again:
        assert again.replay(150) == replay_prefix(rows, 150)


def test_a_damaged_row_is_refused_by_every_prefix_that_reads_it(path: Path) -> None:
    with many(path, 250) as repository:
        before = repository.replay(201)
        repository.db.execute("UPDATE events SET sha = ? WHERE seq = 150", ("0" * 64,))
        with pytest.raises(ChainCorrupted, match="event chain corrupted: row 150"):
            repository.replay(160)
        with pytest.raises(ChainCorrupted):
            repository.replay()
        # It starts at a state that was verified when its row was still whole, and reads none of the others.
        assert repository.replay(201) == before


def test_a_prefix_of_rows_that_are_gone_is_refused(path: Path) -> None:
    with many(path, 30) as repository:
        repository.db.execute("DELETE FROM events WHERE seq >= 20")
        with pytest.raises(ChainCorrupted):
            repository.replay(25)


def test_both_tables_are_written_or_neither(path: Path) -> None:
    with club_repository(path, durable=False) as club:
        before = club.replay()
        for table in ("events", "snapshot"):
            club.db.execute(
                f"CREATE TEMP TRIGGER full BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'full'); END"
            )
            with pytest.raises(StorageError, match="full"):
                club.append(import_document("schedule", 3, "When we meet", "- meeting time: Monday"))
            club.db.execute("DROP TRIGGER full")
            assert len(club) == len(club.rows()) == 12
            assert club.replay() == before
        club.append(import_document("schedule", 3, "When we meet", "- meeting time: Monday"))
        assert len(club) == 13


def test_log_and_snapshot_forged_together_are_noticed_only_by_an_anchor(path: Path) -> None:
    with club_repository(path, durable=False) as club:
        kept = club.anchor()
        rows, previous = [], "0" * 64
        for seq, event in enumerate(EVENTS):
            fields = {**dict(event)}
            if seq == 6:
                fields = dict(import_document("schedule", 2, "When we meet", "- meeting time: never"))
            digest = sha(canonical({"seq": seq, "previous": previous, "event": fields}))
            rows.append({"seq": seq, "previous": previous, "sha": digest, "payload": canonical(fields)})
            previous = digest
        club.db.execute("DELETE FROM events")
        club.db.execute("DELETE FROM snapshot")
        club.db.executemany("INSERT INTO events VALUES (:seq, :previous, :sha, :payload)", rows)
        club.db.executemany("INSERT INTO snapshot VALUES (?, ?, ?, ?)", lines_of(replay_prefix(rows)))
        with pytest.raises(ChainCorrupted):
            club.replay()  # this repository still knows its head
    with Repository(path) as forged:
        assert forged.ask("meeting time", 12, "2026-10-13").value == "never"
        assert forged.anchor() != kept


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("DELETE FROM snapshot WHERE id = 'location'", "the line of documents location 1 is missing."),
        (
            "INSERT INTO snapshot VALUES ('documents', 'x', '1', '{}')",
            "the line of documents x 1 is one too many.",
        ),
        (
            "UPDATE snapshot SET row = '{}' WHERE part = 'memories'",
            'the line of memories ["club","answer order"] is another.',
        ),
    ],
)
def test_a_snapshot_that_differs_is_told_by_its_line(path: Path, change: str, words: str) -> None:
    with club_repository(path, durable=False) as club:
        club.db.execute(change)
        with pytest.raises(SnapshotDiffers) as caught:
            club.replay()
    assert caught.value.facts == words


def test_a_row_that_does_not_follow_is_told_by_its_column(path: Path) -> None:
    with club_repository(path, durable=False) as club:
        right = club.rows()[2]["sha"]
        club.db.execute("UPDATE events SET previous = ? WHERE seq = 3", ("0" * 64,))
        with pytest.raises(ChainCorrupted) as caught:
            club.replay()
    assert caught.value.facts == f"row 3: expected previous {right[:8]}…, found 00000000…."


def test_a_broken_file_is_left_as_it_is(path: Path) -> None:
    with club_repository(path, durable=False) as club:
        club.db.execute("UPDATE events SET previous = 'x' WHERE seq = 3")
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(ChainCorrupted, match="Nothing is mended"):
            Repository(path)
    assert path.read_bytes() == before


def test_the_club_is_appended_once_and_another_history_is_left_alone(path: Path, tmp_path: Path) -> None:
    with club_repository(path, durable=False) as club:
        assert len(club) == 12
    with Repository(tmp_path / "half.sqlite", durable=False) as half:
        for event in EVENTS[:5]:
            half.append(event)
    for each in (path, tmp_path / "half.sqlite"):
        with club_repository(each, durable=False) as again:
            assert again.events() == EVENTS
    with Repository(tmp_path / "other.sqlite", durable=False) as other:
        other.append(import_document("x", 1, "X", "- y: z"))
    with pytest.raises(ContractError, match="this is another history"):
        club_repository(tmp_path / "other.sqlite")
    with Repository(tmp_path / "other.sqlite") as other:
        assert len(other) == 1


def test_closing_again_and_closing_the_connection_are_no_errors(path: Path) -> None:
    club = club_repository(path, durable=False)
    club.db.close()
    club.close()
    club.close()
    with pytest.raises(StorageError, match="the database is closed"):
        club.replay()


def test_a_file_of_another_program_is_refused(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE events (id INTEGER)")
    other.close()
    with pytest.raises(StorageError, match="the database has another layout"):
        Repository(path)


def test_a_file_that_somebody_holds_is_busy(path: Path) -> None:
    with club_repository(path, durable=False):
        pass
    with Repository(path, patience=0.05) as club:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreBusy):
            club.append(import_document("x", 1, "X", "- y: z"))
        other.execute("ROLLBACK")
        other.close()
        club.append(import_document("x", 1, "X", "- y: z"))
        assert len(club.rows()) == 13


def test_of_many_writers_one_at_a_time_gets_in_and_the_chain_holds(path: Path) -> None:
    refused: list[Exception] = []

    def write(number: int) -> None:
        with Repository(path, durable=False) as repository:
            for version in range(1, 11):
                try:
                    repository.append(import_document(f"d{number}", version, "A", "- a: b"))
                except ContractError as error:
                    refused.append(error)
                    return

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(isinstance(error, AnotherWriter) for error in refused)
    with Repository(path) as repository:
        assert repository.replay() == replay_prefix(repository.rows())
        assert len(repository) >= 10


def test_threads_that_share_a_repository_lose_no_event(path: Path) -> None:
    accepted: list[str] = []
    with Repository(path, durable=False) as repository:

        def write(number: int) -> None:
            for version in range(1, 21):
                try:
                    repository.append(import_document(f"d{number}", version, "A", "- a: b"))
                    accepted.append(f"d{number}@{version}")
                except AnotherWriter:
                    pass

        threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        stored = [f"{event.doc_id}@{event.version}" for event in repository.events()]  # type: ignore[attr-defined]
        assert sorted(stored) == sorted(accepted)
        assert len(repository) == len(stored)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_killed_writer_leaves_log_and_snapshot_in_step(path: Path) -> None:
    choose = random.Random(7)
    last = 0
    for _ in range(4):
        child = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None
        assert child.stdin is not None
        assert child.stdout.readline() == "ready\n", child.stderr and child.stderr.read()
        child.stdin.write("\n")
        child.stdin.flush()
        told = [int(child.stdout.readline()) for _ in range(choose.randint(1, 12))]
        kill = threading.Timer(choose.random() / 50, child.kill)
        kill.start()
        rest, _ = child.communicate(timeout=60)
        told += [int(line) for line in rest.splitlines() if line.isdigit()]
        assert all(b == a + 1 for a, b in pairwise(told))
        last = max(last, told[-1])
        with Repository(path) as repository:  # the full check: chain, and snapshot against chain
            assert len(repository) >= last
            [row] = active_docs(repository.replay())
            assert row["version"] == len(repository)
