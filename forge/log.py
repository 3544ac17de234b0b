r"""The append-only log: one record a line, each holding the hash of the one before.

    {"event":{…},"previous_hash":"000…","record_hash":"a1f…"}
    {"event":{…},"previous_hash":"a1f…","record_hash":"07c…"}

Journal, progress, transcript and audit are typed views of it. What it promises:

* A record that `append` returned survives a kill and a power cut. With `fsync_every` above 1 it survives a
  power cut once `sync()` returned or the count was reached; a kill, always.
* Any number of processes and threads may write: reading the head and writing the record are one step under
  one lock. A writer that says what it `expected` learns when the log has moved on.
* Reading never writes, and never takes a record that is being written for a torn one: what looks wrong is
  looked at again under the lock before it is said. A record may be read before it is safe from a power cut.
* A line ends at the byte `\n` and nowhere else. A last line that lacks it is a record if it verifies, and a
  torn tail if it does not: `repair()` moves that aside. A line that has it and does not verify is damage,
  and is never mended.

The chain shows what was changed, added or removed in the middle. That the end is missing, or that the whole
file was written anew, is shown only by an `Anchor` kept somewhere else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count as count_from
from itertools import islice
from os import PathLike
from pathlib import Path

from .chain import GENESIS, encode, freeze, link
from .errors import (
    AnchorMismatch,
    InvalidValue,
    LogError,
    SequenceGap,
    StaleWriter,
    TornTail,
)
from .lines import (
    Anchor,
    Block,
    Line,
    Place,
    Record,
    ScanEnd,
    agreeing,
    place_after,
    place_before,
    record_of,
    require_reached,
    scan_end,
    split_lines,
    verified,
)
from .storage import REAL_DISK, Disk, atomic_replace, extend

__all__ = ["Anchor", "ChainLog", "Record", "Repair", "ScanEnd", "require_position"]

_BLOCK = 1 << 20

Progress = Callable[[int, int], object]
"""Told how many bytes of how many have been read."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What `repair` moved: `bytes` of them, from byte `offset`, to `path`. The log keeps `count` records."""

    path: Path
    bytes: int
    offset: int
    count: int


def require_position(count: int, expected: int | None, path: Path) -> None:
    """Refuse a writer that believes in another number of records than the `count` the log holds."""
    if expected is None or expected == count:
        return
    facts = f"{path.name} stands at record {count}, the writer expected {expected}."
    if expected < count:
        hint = f"Read the log again from record {expected + 1} and decide anew."
        raise StaleWriter("the log has moved on", facts, hint, path=str(path), expected=expected, count=count)
    hint = f"Find records {count + 1} to {expected} before adding another."
    raise SequenceGap("the log ends too early", facts, hint, path=str(path), expected=expected, count=count)


def _require_positive(name: str, number: int) -> None:
    if number < 1:
        raise InvalidValue(f"{name} was refused", f"expected a number of at least 1, found {number}.")


class ChainLog:
    """A log in the file `path`, which the first append makes.

    The first `append` of an object verifies the whole file, each later one only what was added since: it
    costs the same however long the log is. The file is synced after every `fsync_every` appends. While the
    file is read, `progress(done, total)` is called now and then, with numbers of bytes.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        disk: Disk = REAL_DISK,
        fsync_every: int = 1,
        progress: Progress | None = None,
    ) -> None:
        _require_positive("fsync_every", fsync_every)
        self.path = Path(path)
        self._disk = disk
        self._fsync_every = fsync_every
        self._progress = progress
        self._unsynced = 0
        self._named = False  # whether the file's name is known to be on the device
        self._place = Place()  # up to where this object has verified the file

    def __repr__(self) -> str:
        return f"ChainLog({self.path.name!r})"

    def append(self, event: Mapping[str, object], *, expected: int | None = None) -> Record:
        """Add `event` as the next record, durably, and return the record.

        `expected` is how many records the writer believes the log holds: `StaleWriter` when it holds more,
        `SequenceGap` when it holds fewer. When the disk refuses (`StorageError`), the log stays as it was.
        """
        frozen = freeze(dict(event), "event")
        line = self.append_json(encode(frozen), expected=expected)
        return Record(line[1], frozen, *line[2:])

    def append_json(self, event: bytes, *, expected: int | None = None) -> Line:
        """What `append` does, for an event that is canonical JSON already."""
        if not self._named:
            self._disk.make_folder(self.path.parent)
        with self._disk.lock(self.path):
            (number, head, offset), ended = self._catch_up()
            require_position(number, expected, self.path)
            text, record_hash = link(event, head)
            self._write(b"%b%b\n" % (b"" if ended else b"\n", text), before=offset if ended else offset - 1)
            self._place = Place(number + 1, record_hash, offset + len(text) + 1)
        return text, number + 1, head, record_hash, offset

    def sync(self) -> None:
        """Return when all records in the file are on the device; of use with `fsync_every` above 1."""
        if self._disk.size(self.path) is not None:
            self._disk.sync(self.path)
        self._unsynced = 0

    def read(self, *, start: int = 1, limit: int | None = None, anchor: Anchor | None = None) -> list[Record]:
        """The records from number `start` on, at most `limit` of them; those before are verified as well.

        With an `anchor`, also that the log holds what it remembers. Raises the `LogError` of the first line
        that cannot be trusted. For going through a long log in pieces there is `scan()`.
        """
        return [record_of(line, self.path) for line in self.lines(start=start, limit=limit, anchor=anchor)]

    def lines(
        self, *, start: int = 1, limit: int | None = None, anchor: Anchor | None = None
    ) -> Iterator[Line]:
        """What `read` reads, as verified lines one by one, for a reader that decodes them itself."""
        _require_positive("start", start)
        lines = self._trusted(anchor)
        if limit is None:
            return islice(lines, start - 1, None)
        last = max(0, start + limit - 1)
        page = list(islice(lines, start - 1, last))
        if anchor is not None:
            deque(islice(lines, max(0, anchor.count - last)), maxlen=0)
        return iter(page)

    def scan(self, *, anchor: Anchor | None = None) -> Iterator[Record | ScanEnd]:
        """Every record that can be trusted, in order, and then one `ScanEnd`: why it stopped."""
        place, error = Place(), None
        try:
            for line in self._trusted(anchor):
                record = record_of(line, self.path)
                place = place_after(line)
                yield record
        except LogError as found:
            error = found
        yield scan_end(place, error)

    def anchor(self) -> Anchor:
        """What to remember of the log as it is now; all of it is verified."""
        last = deque(self._trusted(None), maxlen=1)
        return Anchor(count=last[0][1], head=last[0][3]) if last else Anchor(count=0, head=GENESIS)

    def repair(self, *, after: Anchor | None = None) -> Repair | None:
        """Move a torn tail to `<name>.torn-<offset>` and say so; None when there is none.

        The bytes are safe in their new place before the log is cut, so the next repair finishes one that was
        interrupted. Damage is raised, not mended; so is a log that lacks what `after` remembers.
        """
        if self._disk.size(self.path) is None:
            require_reached(after, 0, self.path)
            return None
        with self._disk.lock(self.path):
            try:
                for _ in agreeing(self._verified(Place(), self._blocks(0)), [after], self.path):
                    pass
                return None
            except TornTail as torn:
                count, offset = torn.evidence["count"], torn.evidence["offset"]
            require_reached(after, count, self.path)
            tail = self._read(offset)
            aside = self._aside(offset, tail)
            atomic_replace(aside, tail, disk=self._disk)
            self._disk.truncate(self.path, offset)
            self._disk.sync(self.path)
        return Repair(aside, len(tail), offset, count)

    def _aside(self, offset: int, tail: bytes) -> Path:
        """A name for torn bytes: a free one, or one that holds them already."""
        for attempt in count_from(1):
            again = "" if attempt == 1 else f".{attempt}"
            path = self.path.with_name(f"{self.path.name}.torn-{offset}{again}")
            if self._disk.size(path) is None or self._disk.read(path) == tail:
                break
        return path

    def _catch_up(self) -> tuple[Place, bool]:
        """Verify what was added since last time: the place behind it, and whether the last line has its end.

        The caller holds the lock.
        """
        before = place = self._place
        if place.number:
            seen = place.head.encode("ascii") + b'"}\n'
            found = self._read(place.offset - len(seen), len(seen) + 1)
            if found == seen:  # nothing was added
                return place, True
            if not found.startswith(seen):
                raise self._cut_or_replaced(place.number)
        for line in self._verified(place, self._blocks(place.offset)):
            before, place = place, place_after(line)
        ended = place is before or place.offset <= (self._disk.size(self.path) or 0)
        self._place = place if ended else before
        return place, ended

    def _cut_or_replaced(self, number: int) -> AnchorMismatch:
        facts = f"{self.path.name} no longer has record {number} where this object saw it."
        hint = "Find out by whom, then open it as a new ChainLog."
        return AnchorMismatch("journal was cut or replaced", facts, hint, path=str(self.path), count=number)

    def _write(self, data: bytes, before: int) -> None:
        """Add `data` to the `before` bytes there are, all or nothing; synced when due. Under the lock."""
        if not self._named:
            # Who made the file may have died before its name was safe, so every writer sees to that once.
            self._disk.sync_folder(self.path.parent)
        # A newline that was missing is synced at once: the record before it may have been acknowledged.
        due = data.startswith(b"\n") or self._unsynced + 1 >= self._fsync_every
        extend(self.path, data, before, disk=self._disk, sync=due)
        self._named = True
        self._unsynced = 0 if due else self._unsynced + 1

    def _trusted(self, anchor: Anchor | None) -> Iterator[Line]:
        """All lines, verified, and checked against `anchor` and what this object has seen before."""
        own = Anchor(count=self._place.number, head=self._place.head) if self._place.number else None
        return agreeing(self._settled(), [anchor, own], self.path) if anchor or own else self._settled()

    def _settled(self) -> Iterator[Line]:
        """All lines, verified. What looks wrong at first is read again when no writer is at work."""
        line: Line | None = None
        try:
            for line in self._verified(Place(), self._blocks(0)):
                yield line
            return
        except LogError:
            place = place_before(line) if line else Place()
        data = b""
        with suppress(FileNotFoundError), self._disk.lock(self.path, shared=True):
            data = self._read(place.offset)
        lines, rest = split_lines(data)
        again = self._verified(place, [(lines, True), ([rest], False)] if rest else [(lines, True)])
        if line and next(again, None) != line:
            raise self._cut_or_replaced(line[1])
        yield from again

    def _verified(self, place: Place, blocks: Iterable[Block]) -> Iterator[Line]:
        return verified(blocks, place, self.path, lambda size: self._read(0, size))

    def _blocks(self, offset: int) -> Iterator[Block]:
        """The lines from a byte on, some at a time; the last one alone when it has no end."""
        rest = b""
        while data := self._read(offset, max(_BLOCK, len(rest))):
            offset += len(data)
            if self._progress:
                self._progress(offset, max(offset, self._disk.size(self.path) or 0))
            lines, rest = split_lines(rest + data)
            yield lines, True
        if rest:
            yield [rest], False

    def _read(self, offset: int, size: int | None = None) -> bytes:
        try:
            return self._disk.read(self.path, offset, size)
        except FileNotFoundError:
            return b""
