from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import forge.database
from forge.database import Database
from forge.errors import StorageError, StoreBusy

LAYOUT = {
    "notes": "CREATE TABLE notes (name TEXT PRIMARY KEY, body TEXT)",
    "by_body": "CREATE INDEX by_body ON notes (body)",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "notes.db"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with Database(path, LAYOUT, patience=0.1, durable=False) as database:
        yield database


def add(database: Database, name: str, body: str = "…") -> None:
    with database.writing() as connection:
        connection.execute("INSERT INTO notes VALUES (?, ?)", (name, body))


def names(database: Database) -> list[str]:
    return [row["name"] for row in database.read("SELECT name FROM notes ORDER BY name")]


class Stopped(BaseException):
    """Like an interrupt, or the end of a check's time."""


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, Stopped, sqlite3.OperationalError])
def test_whatever_is_raised_nothing_of_a_transaction_is_kept(
    database: Database, path: Path, error: type[BaseException]
) -> None:
    add(database, "before")
    with pytest.raises((error, StorageError)), database.writing() as connection:
        connection.execute("INSERT INTO notes VALUES ('half', '')")
        assert names(database) == ["before", "half"]
        raise error
    assert names(database) == ["before"]
    add(database, "after")
    with Database(path, LAYOUT) as again:
        assert names(again) == ["after", "before"]


def test_a_transaction_inside_a_transaction_is_refused_and_harms_neither(database: Database) -> None:
    with database.writing() as connection:
        connection.execute("INSERT INTO notes VALUES ('outer', '')")
        with pytest.raises(StorageError, match=r"^a transaction is open"), database.writing():
            pass
    assert names(database) == ["outer"]


def test_a_file_that_stays_locked_is_busy_and_not_locked(database: Database, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for attempt in (lambda: add(database, "a"), lambda: names(database)):
            with pytest.raises(StoreBusy, match=r"^the database is busy: another program has held") as caught:
                attempt()
            assert "database is locked" not in str(caught.value)
            assert caught.value.evidence["seconds"] == 0.1
        other.execute("COMMIT")
    add(database, "a")
    assert names(database) == ["a"]


def test_opening_waits_for_a_file_that_is_locked(database: Database, path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    release = threading.Timer(0.3, other.execute, ["COMMIT"])
    release.start()
    with Database(path, LAYOUT) as waited:
        assert names(waited) == []
    release.join()
    other.close()


def test_a_reader_in_the_way_of_a_commit_leaves_everything_as_it_was(database: Database, path: Path) -> None:
    add(database, "a")
    reader = sqlite3.connect(path)
    rows = reader.execute("SELECT * FROM notes")
    rows.fetchone()
    reader.execute("BEGIN").execute("SELECT * FROM notes").fetchone()
    with pytest.raises(StoreBusy):
        add(database, "b")
    assert database.scrub().pending
    reader.close()
    assert names(database) == ["a"]
    assert not database.scrub().pending
    add(database, "b")
    assert names(database) == ["a", "b"]


def test_threads_share_a_database(database: Database) -> None:
    def work(thread: int) -> None:
        for number in range(20):
            add(database, f"{thread}-{number:02}")
            assert f"{thread}-{number:02}" in names(database)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names(database)) == 120


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_is_told_to_open_its_own(database: Database) -> None:
    add(database, "a")
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            names(database)
        except StorageError as error:
            os.write(write, str(error).encode())
        finally:
            database.close()
            os._exit(0)
    os.close(write)
    said = os.read(read, 1000)
    os.close(read)
    os.waitpid(child, 0)
    assert said.startswith(b"a database cannot be used after a fork")
    assert names(database) == ["a"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"This is a text file and no database. " * 30, "the database refused"),
        (b"SQLite format 3\0" + b"\xff" * 4080, "the database refused"),
    ],
)
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(
    path: Path, content: bytes, words: str
) -> None:
    path.write_bytes(content)
    with pytest.raises(StorageError, match=f"^{words}: .*notes.db"):
        Database(path, LAYOUT)
    assert path.read_bytes() == content


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"^the database refused"):
        Database(tmp_path, LAYOUT)


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT colour FROM notes", r"no such column: colour\. Mend the statement"),
        ("SELECT :now", r"binding parameter :now\. Mend the statement"),
    ],
)
def test_a_statement_with_a_mistake_is_told_from_a_file_with_one(
    database: Database, sql: str, said: str
) -> None:
    with pytest.raises(StorageError, match=said):
        database.read(sql, {})


def test_a_table_of_another_layout_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE notes (name TEXT PRIMARY KEY, body TEXT, more TEXT)")
    with pytest.raises(StorageError, match=r"^the database has another layout: .* holds notes"):
        Database(path, LAYOUT)


def test_two_layouts_may_share_a_file(database: Database, path: Path) -> None:
    add(database, "a")
    with Database(path, {"other": "CREATE TABLE other (x)"}) as other:
        assert other.read("SELECT * FROM other") == []
    assert names(database) == ["a"]


@pytest.mark.parametrize(
    ("version", "mode"), [((3, 51, 2), "delete"), ((3, 51, 3), "wal"), ((3, 60, 0), "wal")]
)
def test_the_log_is_written_ahead_only_where_sqlite_is_safe_with_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], mode: str
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    with Database(path, LAYOUT) as database:
        assert database.journal_mode == mode
        assert database.connection.execute("PRAGMA journal_mode").fetchone()[0] == mode
        add(database, "a")


def test_a_file_written_ahead_elsewhere_is_taken_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forge.database, "WAL_IS_SAFE_FROM", (3, 0, 0))
    with Database(path, LAYOUT) as database:
        add(database, "a")
    monkeypatch.undo()
    monkeypatch.setattr(forge.database, "WAL_IS_SAFE_FROM", (99, 0, 0))
    with Database(path, LAYOUT) as database:
        assert database.journal_mode == "delete"
        assert names(database) == ["a"]


def test_a_file_that_another_program_writes_ahead_now_is_busy(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forge.database, "WAL_IS_SAFE_FROM", (3, 0, 0))
    with Database(path, LAYOUT) as ahead:
        add(ahead, "a")
        monkeypatch.setattr(forge.database, "WAL_IS_SAFE_FROM", (99, 0, 0))
        with pytest.raises(StoreBusy):
            Database(path, LAYOUT, patience=0.1)
        assert names(ahead) == ["a"]


def test_the_contents_are_the_bytes_of_the_files(database: Database, path: Path) -> None:
    add(database, "a", "x" * 10_000)
    assert database.contents() == {path: path.read_bytes()}
    with database.writing() as connection:
        connection.execute("INSERT INTO notes VALUES ('b', 'y')")
        connection.execute("UPDATE notes SET body = 'z' WHERE name = 'a'")
    assert database.contents() == {path: path.read_bytes()}


def test_a_durable_database_waits_for_the_disk(path: Path) -> None:
    for durable, sync in ((True, 3), (False, 0)):
        with Database(path, LAYOUT, durable=durable) as database:
            assert database.read("PRAGMA synchronous")[0][0] == sync
            assert database.read("PRAGMA secure_delete")[0][0] == 1
