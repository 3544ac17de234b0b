"""Long-term memory: what outlives the run that learned it, inside a scope, until it expires or is deleted.

A memory is not state. State says where one run stands and is rebuilt from its events; a memory is kept for
its own sake and is found by whoever asks in its scope, for its subject, while it is live.

`delete` and `purge_expired` take the text out of this store and out of its files. They do not know of texts
that were derived from it: a summary kept elsewhere still says what the memory said.
`forge.replay.delete_memory_everywhere` follows it there.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from .chain import check_text, refuse
from .errors import ForgeModel, MemoryRefused, StaleMemory
from .instants import Instant, instant, moment
from .store import Store
from .wording import show


class MemoryScope(StrEnum):
    """How far a memory reaches: one run, one session, or one user across all sessions."""

    RUN = "run"
    SESSION = "session"
    USER = "user"


Text = Annotated[str, Field(min_length=1)]


class MemoryRecord(ForgeModel):
    """One memory. `subject_id` names the run, session or user that `scope` speaks of.

    It is live from the moment it is stored until `expires_at`, and no longer at that very moment; without
    `expires_at` it does not expire. `source` says where it comes from. `key` names the question it answers:
    of two memories with the same scope, subject and key the store keeps the one created later. Times are kept
    in UTC.
    """

    memory_id: Text
    scope: Annotated[MemoryScope, Field(strict=False)]
    subject_id: Text
    content: Text
    created_at: Instant
    expires_at: Instant | None = None
    source: Text | None = None
    key: Text | None = None


LAYOUT = {
    "memories": """CREATE TABLE memories (
        memory_id TEXT PRIMARY KEY,
        scope TEXT NOT NULL,
        subject_id TEXT NOT NULL,
        content TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER,
        source TEXT,
        key TEXT,
        UNIQUE (scope, subject_id, key)
    )"""
}

INSIDE = "scope = :scope AND subject_id = :subject_id"
"""The boundary, in SQL: the memories of one subject in one scope. Every way to read goes through it."""

LIVE = "(expires_at IS NULL OR :now < expires_at)"
"""Liveness, in SQL: reading keeps what it accepts, and purging removes the rest."""


def boundary(scope: MemoryScope, subject_id: str) -> dict[str, str]:
    """The values of `INSIDE`. An unknown scope, and a subject that is no name, raise `InvalidValue`."""
    if scope not in list(MemoryScope):
        refuse("scope", f"one of {', '.join(MemoryScope)}", show(scope))
    return {"scope": str(scope), "subject_id": name(subject_id, "subject_id")}


def name(text: str, field: str) -> str:
    """The text itself, if something stored can have that id; else `InvalidValue`."""
    if not isinstance(text, str) or not text:
        refuse(field, "text of at least 1 character", show(text))
    return check_text(text, field)


def row_of(record: MemoryRecord) -> dict[str, Any]:
    """The row that stores a memory, with its times as `instant` writes them."""
    ends = None if record.expires_at is None else instant(record.expires_at)
    row = {**dict(record), "created_at": instant(record.created_at)}
    if ends is not None and ends <= row["created_at"]:
        raise MemoryRefused(
            "expires_at must be later than created_at",
            f"{show(record.memory_id)} is created at {record.created_at} and expires at {record.expires_at}.",
            "Give a later expires_at, or none.",
            memory_id=record.memory_id,
        )
    return {**row, "expires_at": ends}


def record_of(row: sqlite3.Row) -> MemoryRecord:
    """The memory that a row stores."""
    ends = None if row["expires_at"] is None else moment(row["expires_at"])
    return MemoryRecord(**{**dict(row), "created_at": moment(row["created_at"]), "expires_at": ends})


class MemoryStore(Store):
    """Memories in one SQLite file, which several processes and threads may use at once.

    Text that is deleted, purged, replaced or superseded is gone from the bytes of every file of the store.
    Another program that holds the file for longer than `patience` seconds raises `StoreBusy`. Without
    `durable` nothing waits for the disk, and a power cut may harm the store: for tests and labs.
    """

    layout = LAYOUT

    def put(self, record: MemoryRecord) -> None:
        """Store a memory. An older memory of the same scope, subject and key is removed in the same step.

        A `memory_id` that is stored already, expired or not, raises `MemoryRefused`; a key whose memory is as
        new or newer raises `StaleMemory`. Then nothing has changed.
        """
        row = row_of(record)
        with self.database.writing() as connection:
            if connection.execute("SELECT 1 FROM memories WHERE memory_id = :memory_id", row).fetchone():
                raise MemoryRefused(
                    "memory_id must be unique",
                    f"the store holds {show(record.memory_id)} already.",
                    "Give a new id, or change the stored memory with replace().",
                    memory_id=record.memory_id,
                )
            self._supersede(row)
            connection.execute(
                "INSERT INTO memories VALUES (:memory_id, :scope, :subject_id, :content, :created_at, "
                ":expires_at, :source, :key)",
                row,
            )

    def _supersede(self, row: dict[str, Any]) -> None:
        rows = self.database.read(f"SELECT * FROM memories WHERE {INSIDE} AND key = :key", row)
        if not rows:
            return
        [stored] = rows
        if row["created_at"] <= stored["created_at"]:
            raise StaleMemory(
                "the memory is stale",
                f"{show(row['memory_id'])} is from {moment(row['created_at'])}, but {show(row['key'])} is "
                f"held by {show(stored['memory_id'])} from {moment(stored['created_at'])}.",
                "Keep the stored one, or put one that was created later.",
                memory_id=row["memory_id"],
                key=row["key"],
                held=stored["memory_id"],
            )
        self.connection.execute("DELETE FROM memories WHERE memory_id = ?", (stored["memory_id"],))
        self.database.rewrite("memories")

    def query(
        self,
        scope: MemoryScope,
        subject_id: str,
        *,
        now: datetime | None = None,
        limit: int | None = None,
    ) -> list[MemoryRecord]:
        """The memories of one subject in one scope that are live at `now`, by default this moment.

        They come in the order of `created_at`, then of their ids; of them, at most the first `limit`.
        """
        values = {**boundary(scope, subject_id), "now": instant(now), "limit": at_most(limit)}
        where = f"{INSIDE} AND {LIVE}"
        rows = self.database.read(
            f"SELECT * FROM memories WHERE {where} ORDER BY created_at, memory_id LIMIT :limit", values
        )
        return [record_of(row) for row in rows]

    def get(
        self, memory_id: str, scope: MemoryScope, subject_id: str, *, now: datetime | None = None
    ) -> MemoryRecord | None:
        """The memory of that id, if it is live and belongs to the subject in the scope."""
        rows = self.database.read(
            f"SELECT * FROM memories WHERE memory_id = :memory_id AND {INSIDE} AND {LIVE}",
            {**boundary(scope, subject_id), "memory_id": name(memory_id, "memory_id"), "now": instant(now)},
        )
        return record_of(rows[0]) if rows else None

    def replace(self, record: MemoryRecord, *, now: datetime | None = None) -> MemoryRecord | None:
        """Give a live memory of the same id, scope and subject the content, expiry and source of `record`.

        Its key and its `created_at` stay what they were. Returns what is stored now; None when there is no
        such memory, and then nothing has changed.
        """
        with self.database.writing() as connection:
            stored = self.get(record.memory_id, record.scope, record.subject_id, now=now)
            if stored is None:
                return None
            renewed = stored.model_copy(
                update={"content": record.content, "expires_at": record.expires_at, "source": record.source}
            )
            connection.execute(
                "UPDATE memories SET content = :content, expires_at = :expires_at, source = :source "
                "WHERE memory_id = :memory_id",
                row_of(renewed),
            )
            self.database.rewrite("memories")
        return renewed

    def delete(self, memory_id: str) -> bool:
        """Delete a memory, expired or not, of any scope; whether there was one. Again is no error.

        It is for whoever keeps the store. Who may ask them for it is decided before it is called.
        """
        values = (name(memory_id, "memory_id"),)
        with self.database.writing() as connection:
            gone = connection.execute("DELETE FROM memories WHERE memory_id = ?", values).rowcount
            if gone:
                self.database.rewrite("memories")
        return gone == 1

    def purge_expired(self, *, now: datetime | None = None) -> int:
        """Delete every memory that is no longer live; how many there were."""
        with self.database.writing() as connection:
            gone = connection.execute(
                f"DELETE FROM memories WHERE NOT {LIVE}", {"now": instant(now)}
            ).rowcount
            if gone:
                self.database.rewrite("memories")
        return gone

    def __repr__(self) -> str:
        return f"<memory store {self.path.name}>"


def at_most(limit: int | None) -> int:
    """The value of SQL's LIMIT; None is no limit. A number below 0 raises `InvalidValue`."""
    if limit is None:
        return -1
    if type(limit) is not int or limit < 0:
        refuse("limit", "a whole number of at least 0", show(limit))
    return limit
