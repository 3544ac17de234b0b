"""The journal: the events of one run, as a chained log that can be replayed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from os import PathLike
from typing import NamedTuple, NoReturn

from ..chain import encode, event_bytes
from ..errors import DamagedRecord, EventRefused, InvalidValue, LogError, SequenceGap, StaleWriter
from ..lines import Line, Place, ScanEnd, place_after, place_before, record_of, scan_end
from ..log import Anchor, ChainLog, Progress, Repair
from ..state.models import RunEvent, RunState, reduce_events
from ..storage import REAL_DISK, Disk

ONE_RUN = "one journal file may contain only one run_id"
CONTIGUOUS = "journal events must use contiguous sequences"
FIRST = "the first journal event must use sequence 1"


class JournalRecord(NamedTuple):
    """One line of a journal: the event, the hash of the line before, and its own."""

    event: RunEvent
    previous_hash: str
    record_hash: str


class EventJournal:
    """The events of one run in the file `path`, which the first append makes: event n stands in line n.

    An appended event survives a kill and a power cut; with `fsync_every` above 1 it survives a power cut once
    that many were appended, or after `sync()`. Any number of processes may append and read. Reading verifies
    every hash, never writes, and waits for an append that is under way rather than calling it torn.

    The chain shows what was changed, added or removed in the middle. That the end is missing, or that the
    whole file was written anew, shows only against an `anchor()` that was kept somewhere else.

    `progress(done, total)` is called now and then while the file is read, with numbers of bytes.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        fsync_every: int = 1,
        progress: Progress | None = None,
        disk: Disk = REAL_DISK,
    ) -> None:
        self._log = ChainLog(path, disk=disk, fsync_every=fsync_every, progress=progress)
        self.path = self._log.path
        self._run_id: str | None = None  # known once this object has appended

    def __repr__(self) -> str:
        return f"EventJournal({self.path.name!r})"

    def append(self, event: RunEvent) -> str:
        """Add the next event, durably, and return the hash of its record.

        The journal's anchor is then `Anchor(count=event.sequence, head=…)`, with that hash.

        `StaleWriter` when the journal holds an event of that sequence already: read what it holds, and decide
        anew. `SequenceGap` when it does not hold the event before. Both are `ValueError`s, and so is
        `LogError` for an event of another run. A refused event changes nothing.
        """
        self._require_own(event)
        try:
            line = self._log.append_json(encode(event.__dict__), expected=event.sequence - 1)
        except (StaleWriter, SequenceGap) as conflict:
            self._require_own(event)  # another process may have begun the journal since
            self._refuse(event, conflict)
        self._run_id = event.run_id
        return line[3]

    def sync(self) -> None:
        """Return when every appended event is safe from a power cut; of use with `fsync_every` above 1."""
        self._log.sync()

    def read_events(
        self, *, start: int = 1, limit: int | None = None, anchor: Anchor | None = None
    ) -> list[RunEvent]:
        """The events from number `start` on, at most `limit` of them. Those before are verified as well.

        With an `anchor`, also that the journal holds what it remembers. Raises the `LogError` of the first
        line that cannot be trusted; lines after the last one asked for are not looked at.
        """
        run_id = self._run_of_line_1() if start > 1 else None
        return list(self._events(self._log.lines(start=start, limit=limit, anchor=anchor), run_id))

    def scan(self, *, anchor: Anchor | None = None) -> Iterator[JournalRecord | ScanEnd]:
        """Every record that can be trusted, in order, and then one `ScanEnd`: why it stopped."""
        run_id, place, error = None, Place(), None
        try:
            for line in self._log.lines(anchor=anchor):
                [event] = self._events([line], run_id)
                run_id, place = event.run_id, place_after(line)
                yield JournalRecord(event, line[2], line[3])
        except LogError as found:
            error = found
        yield scan_end(place, error)

    def replay(self, *, anchor: Anchor | None = None) -> RunState:
        """The state after all events, if every line can be trusted.

        `EventRefused` when they cannot be applied; damage anywhere in the file is told before that.
        """
        lines = self._log.lines(anchor=anchor)
        try:
            return reduce_events(self._events(lines))
        except EventRefused:
            deque(lines, maxlen=0)  # the lines after the refused event are verified as well
            raise

    def anchor(self) -> Anchor:
        """What to keep, somewhere else, of the journal as it is now; every hash in it is verified."""
        return self._log.anchor()

    def repair(self, after: Anchor | None = None) -> Repair | None:
        """Move a torn last line to `<name>.torn-<byte>` beside the journal and say so; None without one.

        Damage is raised, not mended. With `after`, so is a journal that lacks what that anchor remembers.
        """
        return self._log.repair(after=after)

    def _run_of_line_1(self) -> str | None:
        for event in self._events(self._log.lines(limit=1)):
            return event.run_id
        return None

    def _events(self, lines: Iterable[Line], run_id: str | None = None) -> Iterator[RunEvent]:
        """The events in lines that verify; `LogError` for one that does not belong there."""
        lines = iter(lines)
        while batch := list(islice(lines, _BATCH)):
            events = decode([event_bytes(line[0]) for line in batch]) or map(self._decode_one, batch)
            for line, event in zip(batch, events, strict=True):
                run_id = run_id or event.run_id
                if event.sequence != line[1] or event.run_id != run_id:
                    raise self._misplaced(line, event, run_id)
                yield event

    def _decode_one(self, line: Line) -> RunEvent:
        try:
            return RunEvent.model_validate(record_of(line, self.path).event)
        except InvalidValue as error:
            words = f"journal record is not a run event at line {line[1]}"
            raise self._damaged(line, words, str(error)) from None

    def _misplaced(self, line: Line, event: RunEvent, run_id: str) -> DamagedRecord:
        here = f"line {line[1]} of {self.path.name}"
        if event.run_id != run_id:
            return self._damaged(line, ONE_RUN, f"{here} is of {event.run_id}, line 1 of {run_id}.")
        return self._damaged(line, CONTIGUOUS, f"{here} holds event {event.sequence}.")

    def _damaged(self, line: Line, words: str, facts: str) -> DamagedRecord:
        place = place_before(line)
        hint = f"scan() gives the {place.number} events before it."
        return DamagedRecord(words, facts, hint, path=str(self.path), line=line[1], offset=place.offset)

    def _require_own(self, event: RunEvent) -> None:
        run_id = self._run_id or self._run_of_line_1()
        if run_id is not None and event.run_id != run_id:
            raise LogError(
                ONE_RUN,
                f"{self.path.name} is the journal of {run_id}, the event is of {event.run_id}.",
                "Open a journal of its own for it.",
                path=str(self.path),
                run_id=run_id,
                found=event.run_id,
            )

    def _refuse(self, event: RunEvent, conflict: StaleWriter | SequenceGap) -> NoReturn:
        count = conflict.evidence["count"]
        raise type(conflict)(
            CONTIGUOUS if count else FIRST,
            f"event {event.sequence} of {event.run_id} follows event {count}, expected {count + 1}."
            if count
            else f"found event {event.sequence} of {event.run_id}.",
            f"Read the journal again from {event.sequence} and decide anew."
            if isinstance(conflict, StaleWriter)
            else f"Append event {count + 1} before it.",
            **conflict.evidence,
        ) from None


_BATCH = 64
_event = RunEvent.__pydantic_validator__.validate_json


def decode(texts: list[bytes]) -> list[RunEvent]:
    """The events that canonical JSON texts say in full; none at all if one of the texts is anything else.

    Writing many events in one call, to see whether they are canonical, takes a quarter of the time.
    """
    try:
        events = [_event(text) for text in texts]
    except ValueError:
        return []
    return events if encode([event.__dict__ for event in events]) == b"[%b]" % b",".join(texts) else []
