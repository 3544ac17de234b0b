"""One SQLite file that processes and threads share, and that keeps no trace of what was erased from it.

Every statement that changes something stands in `writing()`: all of it happens or none, whatever is raised.
Whoever finds the file locked waits; after `patience` seconds, `StoreBusy`.

Where erased text can stay behind, and what is done about each place:

* In the row's old bytes: `secure_delete` overwrites them.
* In copies. When a page is split, its rows move to other pages and their old bytes stay in its free space,
  where no deletion reaches them later (sqlite.org/pragma.html#pragma_secure_delete speaks of deleted content
  only). `rewrite` writes a table anew, in the transaction that erased something from it.
* In the rollback journal: it is removed by the commit that makes the deletion true.
* In the write-ahead log: it is emptied after such a commit, which waits for no reader. `scrub` says whether
  one was in the way, and finishes the job.

What the drive keeps of blocks it has overwritten is out of reach of any program.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from .errors import StorageError, StoreBusy
from .storage import REAL_DISK

T = TypeVar("T")

WAL_IS_SAFE_FROM = (3, 51, 3)
"""Before this version of SQLite a race between two processes can damage a database in WAL mode."""

PATIENCE = 30.0
"""Seconds to wait for another program that holds the database."""

# SQLite waits this long inside one call, in which Python can be neither interrupted nor timed.
_BEAT = 0.1


class Scrub(NamedTuple):
    """What scrubbing did: the files of the database, and whether a program in the way left some undone."""

    files: tuple[Path, ...]
    pending: bool


def _is_locked(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class Closing:
    """What is closed at the end of a `with` block."""

    def close(self) -> None:
        """Let go of the file."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Database(Closing):
    """An open SQLite file. `layout` gives the `CREATE` statement of each of its tables and indexes by name.

    Threads share one `Database`, in turn; a forked child must open its own. `connection` is SQLite's, for
    looking at what is stored; `journal_mode` is "wal" where SQLite is safe with it, else "delete". Without
    `durable` nothing waits for the disk: a kill is survived, a power cut need not be; for tests and labs. A
    file that is no database, or has a table of the same name but another layout, raises `StorageError`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        layout: Mapping[str, str],
        *,
        patience: float = PATIENCE,
        durable: bool = True,
    ) -> None:
        self.path = Path(path)
        self.patience = patience
        self._process = os.getpid()
        self._turn = threading.RLock()
        self._erased = False
        self._closed = False
        REAL_DISK.make_folder(self.path.parent)
        with self._told():
            self.connection = sqlite3.connect(
                self.path.absolute(), timeout=_BEAT, isolation_level=None, check_same_thread=False
            )
            self.connection.row_factory = sqlite3.Row
        try:
            self._settle(durable)
            self._lay_out(layout)
        except BaseException:
            self.close()
            raise

    def _settle(self, durable: bool) -> None:
        # "extra" also syncs the folder: a deletion that a power cut undoes would be no deletion.
        sync = "EXTRA" if durable else "OFF"
        for setting in ("secure_delete = ON", "temp_store = MEMORY", f"synchronous = {sync}"):
            self.read(f"PRAGMA {setting}")
        mode = "wal" if sqlite3.sqlite_version_info >= WAL_IS_SAFE_FROM else "delete"
        self.journal_mode: str = self.read(f"PRAGMA journal_mode = {mode}")[0][0]
        self._empty_log()  # a crash may have come between a commit and this

    def _lay_out(self, layout: Mapping[str, str]) -> None:
        if self._missing(layout):
            with self.writing() as connection:
                for name in self._missing(layout):
                    connection.execute(layout[name])

    def _missing(self, layout: Mapping[str, str]) -> list[str]:
        stored = {row["name"]: row["sql"] for row in self.read("SELECT name, sql FROM sqlite_master")}
        other = [name for name, sql in layout.items() if stored.get(name, sql) != sql]
        if other:
            raise self._error(
                "the database has another layout",
                f"{self.path} holds {other[0]} as another program made it.",
                "Give the path of a new file.",
            )
        return [name for name in layout if name not in stored]

    def read(self, sql: str, values: Mapping[str, Any] | tuple[Any, ...] = ()) -> list[sqlite3.Row]:
        """The rows that one statement gives; a row is read by name or by position."""
        with self._told():
            return self._patiently(lambda: self.connection.execute(sql, values).fetchall())

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: everything executed inside is kept at the end, or nothing when anything raises."""
        with self._told():
            if self.connection.in_transaction:
                raise self._error("a transaction is open", f"{self.path} is being written.", "End it first.")
            self._erased = False
            try:
                self._patiently(lambda: self.connection.execute("BEGIN IMMEDIATE"))
                yield self.connection
                self._patiently(lambda: self.connection.execute("COMMIT"))
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
            if self._erased:
                self._empty_log()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One view for several reads: each sees the database as the first one found it."""
        with self._told():
            self._patiently(lambda: self.connection.execute("BEGIN"))
            try:
                yield
            finally:
                self.connection.execute("ROLLBACK")

    def rewrite(self, *tables: str) -> None:
        """Write tables anew, inside `writing()`, after something was erased from them.

        The time it takes grows with the table: about 50 ms for 10,000 rows of 200 characters.
        """
        self._erased = True
        for table in tables:
            rows = self.connection.execute(f"SELECT * FROM {table}").fetchall()
            self.connection.execute(f"DELETE FROM {table}")
            if rows:
                marks = ", ".join("?" * len(rows[0]))
                self.connection.executemany(f"INSERT INTO {table} VALUES ({marks})", map(tuple, rows))

    def scrub(self) -> Scrub:
        """Write the whole file anew and empty its log, so that nothing is left but what is stored now.

        `pending` means that another program was reading: call it again when that one is done.
        """
        with self._told():
            try:
                self._patiently(lambda: self.connection.execute("VACUUM"))
            except StoreBusy:
                return Scrub(self.files(), pending=True)
            return Scrub(self.files(), pending=not self._empty_log())

    def files(self) -> tuple[Path, ...]:
        """The files that SQLite keeps for this database, those that exist now."""
        main = self.path.absolute()
        names = (main.with_name(main.name + suffix) for suffix in ("", "-journal", "-wal", "-shm"))
        return tuple(path for path in names if path.exists())

    def contents(self) -> dict[Path, bytes]:
        """The bytes of each of the files, without "-shm", which holds page numbers only.

        The main file is read through SQLite: a program that opens and closes it beside SQLite drops the locks
        that SQLite holds on it (sqlite.org/howtocorrupt.html, section 2.2).
        """
        with self._told():
            main, *beside = self.files()
            held = {main: self._patiently(self.connection.serialize)}
            for path in beside:
                if not path.name.endswith("-shm"):
                    with suppress(FileNotFoundError):  # another program has ended its transaction
                        held[path] = path.read_bytes()
            return held

    def close(self) -> None:
        """Close the file; again is no error."""
        with self._turn:
            if not self._closed and os.getpid() == self._process:
                self.connection.close()
            self._closed = True

    def _empty_log(self) -> bool:
        # Gives (busy, pages in the log, pages moved); without a log (0, -1, -1).
        try:
            busy, *_ = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError as error:
            if not _is_locked(error):
                raise
            return False
        return not busy

    def _patiently(self, step: Callable[[], T]) -> T:
        until = time.monotonic() + self.patience
        while True:
            try:
                return step()
            except sqlite3.OperationalError as error:
                if not _is_locked(error):
                    raise
                if time.monotonic() >= until:
                    break
            time.sleep(0.002)  # some locks are refused without SQLite's own waiting
        raise StoreBusy(
            "the database is busy",
            f"another program has held {self.path} for {self.patience:g} seconds.",
            "Nothing was written. Let that program finish, or close its store, then do it again.",
            path=str(self.path),
            seconds=self.patience,
        )

    @contextmanager
    def _told(self) -> Iterator[None]:
        # One thread at a time, in the process that opened the file, with errors a person can act on.
        if os.getpid() != self._process:
            raise self._error(
                "a database cannot be used after a fork",
                f"{self.path} was opened by another process.",
                "Open it again in this one.",
            )
        with self._turn:
            if self._closed:
                raise self._error("the database is closed", f"{self.path} was closed.", "Open it again.")
            try:
                yield
            except sqlite3.Error as error:
                # Python's own refusals, such as a value that was not given, carry no code.
                statement = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) == sqlite3.SQLITE_ERROR
                raise self._error(
                    "the database refused",
                    f"{self.path}: {str(error).rstrip('.')}.",
                    "Mend the statement or its values."
                    if statement
                    else "Check the disk and that the path is a file of this program, then do it again.",
                ) from error

    def _error(self, words: str, facts: str, hint: str) -> StorageError:
        return StorageError(words, facts, hint, path=str(self.path), operation="use the database")
