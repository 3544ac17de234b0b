"""Events and the state they lead to, in one SQLite file.

Two tables are written in one transaction: `events`, the chained log, and `snapshot`, one line for each
version of a document and for each memory. The snapshot is there to be compared: no state is read from it.

What is trusted. Opening reads the whole log, verifies every row, and compares the state with the snapshot.
From then on the repository holds a head: how many events there are, the digest of the last one, and the state
after it. An append trusts that head, and asks the file for its last row only; what was changed before that
row since the file was opened is found by the next full check, `replay()`, and not by the append.

Nothing is repaired. Log and snapshot that were forged together, with digests that fit, open without an error;
`anchor()`, kept somewhere else, tells.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..chain import GENESIS
from ..database import PATIENCE
from ..errors import AnotherWriter, ChainCorrupted
from ..lines import Anchor
from ..store import Store
from .digests import canonical, sha
from .events import Event, as_event
from .questions import Answer, answer, differing, require_same
from .replay import no_prefix, replay_prefix, verified
from .snapshot import Line, compare, touched
from .states import EMPTY, State, reduce_event

LAYOUT = {
    "events": """CREATE TABLE events (
        seq INTEGER PRIMARY KEY,
        previous TEXT NOT NULL,
        sha TEXT NOT NULL,
        payload TEXT NOT NULL
    )""",
    "snapshot": """CREATE TABLE snapshot (
        part TEXT NOT NULL,
        id TEXT NOT NULL,
        version TEXT NOT NULL,
        row TEXT NOT NULL,
        PRIMARY KEY (part, id, version)
    )""",
}


ROWS = "SELECT seq, previous, sha, payload FROM events"

KEYFRAME_EVERY = 50
"""Events from one kept state to the next. A state shares with the one before it all that did not change."""


@dataclass(frozen=True, slots=True)
class _Place:
    """The log up to here, verified: how many rows, the digest of the last one, and the state after it."""

    count: int
    sha: str
    state: State


class Repository(Store):
    """A version memory in the file `path`, which is made when it is missing.

    There is one writer at a time: an append after somebody else's raises `AnotherWriter`. A file that another
    program holds for longer than `patience` seconds raises `StoreBusy`. Without `durable` nothing waits for
    the disk: for tests and labs.
    """

    layout = LAYOUT

    def __init__(
        self, path: str | os.PathLike[str], *, patience: float = PATIENCE, durable: bool = True
    ) -> None:
        super().__init__(path, patience=patience, durable=durable)
        # A column whose bytes are no UTF-8 any more is told as corruption, not as an error of the driver.
        self.db.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
        try:
            rows, kept = self._read()
            self._keyframes = [_Place(0, GENESIS, EMPTY)]
            self._head = self._follow(self._keyframes[0], rows)
            compare(self._head.state, kept)
        except BaseException:
            self.close()
            raise

    @property
    def db(self) -> sqlite3.Connection:
        """SQLite's connection, to look at what is stored."""
        return self.database.connection

    def __len__(self) -> int:
        return self._head.count

    def __repr__(self) -> str:
        return f"<version memory {self.path.name}: {len(self)} events>"

    def append(self, event: Event | Mapping[str, Any]) -> str:
        """Add an event, with its effect on the snapshot, and return the digest of its row.

        `ContractError` for an event that is refused, before anything is written; `AnotherWriter` when the log
        has grown meanwhile; `ChainCorrupted` when it does not end as this repository left it.
        """
        head, accepted = self._head, as_event(event)
        state = reduce_event(head.state, accepted)
        digest = sha(canonical({"seq": head.count, "previous": head.sha, "event": dict(accepted)}))
        with self.database.writing() as connection:
            self._require_head(head)
            row = (head.count, head.sha, digest, canonical(dict(accepted)))
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
            connection.executemany(
                "INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?)", touched(head.state, state, accepted)
            )
        self._head = self._remember(_Place(head.count + 1, digest, state))
        return digest

    def replay(self, as_of: int | None = None) -> State:
        """The state after the first `as_of` events, 0 to their number.

        For all of them, by number or without one, every row is verified from the first on, the end is the one
        that this repository knows, and the state is compared with the snapshot. An earlier prefix starts at a
        state that was verified when the file was opened, and verifies the rows from there on.
        """
        if as_of is not None and type(as_of) is not int:
            raise no_prefix(as_of, self._stored())
        if as_of is None or as_of >= self._head.count:
            return self._replay_all(as_of)
        if as_of < 0:
            raise no_prefix(as_of, self._stored())
        start = self._keyframes[as_of // KEYFRAME_EVERY]
        some = f"{ROWS} WHERE seq >= ? ORDER BY seq LIMIT ?"
        place = self._follow(start, self.database.read(some, (start.count, as_of - start.count)))
        if place.count < as_of:
            raise lost_end(self._head, place.count)
        return place.state

    def ask(self, question: str, as_of: int, on: str) -> Answer:
        """What the documents say that were known after `as_of` events and are in force on the day `on`."""
        if as_of is None:
            raise no_prefix(as_of, self._stored())
        return answer(self.replay(as_of), question, as_of=as_of, on=on)

    def check(self, given: Answer) -> None:
        """Nothing, if the answer is the one that its own prefix and day give, in every field.

        Else `ContractError`, which names the field. A refusal cites nothing and cannot be checked.
        """
        if given.citation is None:
            raise differing("citation", "a citation", "none")
        require_same(given, self.ask(given.question, given.citation.as_of, given.citation.on))

    def events(self) -> tuple[Event, ...]:
        """The events of the log, each of its rows verified."""
        previous, found = GENESIS, []
        for seq, row in enumerate(self.rows()):
            found.append(as_event(verified(row, seq, previous)))
            previous = row["sha"]
        return tuple(found)

    def rows(self) -> list[sqlite3.Row]:
        """The stored rows of the log, as they are; nothing is verified."""
        return self.database.read(f"{ROWS} ORDER BY seq")

    def anchor(self) -> Anchor:
        """How many events this repository trusts and the digest of the last: what to keep somewhere else."""
        return Anchor(count=self._head.count, head=self._head.sha)

    def _replay_all(self, as_of: int | None) -> State:
        rows, kept = self._read()
        if as_of is not None and as_of > len(rows):
            raise no_prefix(as_of, len(rows))
        state = replay_prefix(rows)
        head = self._head
        if len(rows) < head.count or (head.count and rows[head.count - 1]["sha"] != head.sha):
            raise lost_end(head, len(rows))
        compare(state, kept)
        return state if as_of is None or as_of == len(rows) else replay_prefix(rows, as_of)

    def _read(self) -> tuple[list[sqlite3.Row], set[Line]]:
        with self.database.reading():
            rows = self.rows()
            lines = self.database.read("SELECT part, id, version, row FROM snapshot")
        return rows, {(line[0], line[1], line[2], line[3]) for line in lines}

    def _stored(self) -> int:
        return int(self.database.read("SELECT count(*) FROM events")[0][0])

    def _follow(self, place: _Place, rows: Iterable[sqlite3.Row]) -> _Place:
        for row in rows:
            event = verified(row, place.count, place.sha)
            place = self._remember(_Place(place.count + 1, row["sha"], reduce_event(place.state, event)))
        return place

    def _remember(self, place: _Place) -> _Place:
        if place.count == len(self._keyframes) * KEYFRAME_EVERY:
            self._keyframes.append(place)
        return place

    def _require_head(self, head: _Place) -> None:
        last = self.database.read("SELECT seq, sha FROM events ORDER BY seq DESC LIMIT 1")
        count, digest = (last[0]["seq"] + 1, last[0]["sha"]) if last else (0, GENESIS)
        if count > head.count:
            raise AnotherWriter(
                "the log has another writer",
                f"{self.path.name} holds {count} events, this repository knows {head.count}.",
                "Nothing was written. Open the file again, look at what is there, and decide anew.",
                expected=head.count,
                count=count,
            )
        if (count, digest) != (head.count, head.sha):
            raise lost_end(head, count)


def lost_end(head: _Place, count: int) -> ChainCorrupted:
    """The error for a log that does not hold the head any more."""
    return ChainCorrupted(
        "event chain corrupted",
        f"row {head.count - 1} was {head.sha[:8]}… when it was read; the log holds {count} rows now.",
        "Nothing is mended: bring the log back from a copy.",
        seq=head.count - 1,
        expected=head.sha,
    )
