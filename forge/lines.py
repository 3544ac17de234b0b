"""The lines of a log, without a file: which follow each other, and what is wrong with one that does not.

The order of the questions decides what a person is told, so it is written once, in `refusal`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, Self

from pydantic import Field, model_validator

from .chain import GENESIS, FrozenDict, event_bytes, follows, parse, parse_canonical, seal, unseal
from .errors import (
    AnchorMismatch,
    DamagedRecord,
    ForgeModel,
    InvalidValue,
    LogError,
    NotCanonicalLine,
    TornTail,
)
from .wording import show


class Anchor(ForgeModel):
    """What to remember of a log, elsewhere: how many records it holds and the hash of the last one."""

    count: int = Field(ge=0)
    head: str = Field(pattern=r"^[0-9a-f]{64}$")

    @model_validator(mode="after")
    def _only_an_empty_log_has_no_head(self) -> Self:
        if (self.count == 0) != (self.head == GENESIS):
            raise ValueError("64 zeros as the head of an empty log, and of no other")
        return self


class Record(NamedTuple):
    """One line of a log. `number` counts from 1; `offset` is the byte where the line begins."""

    number: int
    event: FrozenDict
    previous_hash: str
    record_hash: str
    offset: int


Reason = Literal["end", "torn", "damaged", "not canonical", "anchor"]


@dataclass(frozen=True, slots=True)
class ScanEnd:
    """Why a scan stopped: `count` records hold, up to the hash `head`; what follows begins at `offset`."""

    reason: Reason
    count: int
    head: str
    offset: int
    error: LogError | None


Line = tuple[bytes, int, str, str, int]
"""A line that verifies: its bytes, number, previous hash, record hash, and the byte where it begins."""

Block = tuple[list[bytes], bool]
"""Lines that had their newline, and True; or the last one alone, that had none, and False."""


class Place(NamedTuple):
    """Up to where a log is trusted: the last record's number and hash, and the byte where the next begins."""

    number: int = 0
    head: str = GENESIS
    offset: int = 0


def split_lines(data: bytes) -> tuple[list[bytes], bytes]:
    """The lines that have their newline, without it, and what stands behind the last of them."""
    *lines, rest = data.split(b"\n")
    return lines, rest


def place_after(line: Line) -> Place:
    """The place where the line after `line` belongs."""
    text, number, _, record_hash, offset = line
    return Place(number, record_hash, offset + len(text) + 1)


def place_before(line: Line) -> Place:
    """The place where `line` belongs."""
    _, number, previous_hash, _, offset = line
    return Place(number - 1, previous_hash, offset)


def verified(
    blocks: Iterable[Block], place: Place, path: Path, earlier: Callable[[int], bytes]
) -> Iterator[Line]:
    """The lines that continue the log from `place`; raises the `LogError` of the first that does not.

    `earlier(n)` gives the first n bytes of the log, for telling a fork from other breaks.
    """
    number, head, offset = place
    for lines, ended in blocks:
        for text in lines if ended else _apart(lines[0], head):
            record_hash = follows(text, head)
            if record_hash is None:
                raise refusal(text, ended, Place(number, head, offset), path, earlier)
            number += 1
            yield text, number, head, record_hash, offset
            head = record_hash
            offset += len(text) + ended


def _apart(text: bytes, head: str) -> list[bytes]:
    """A last line without its newline, split behind its record when something was torn behind that.

    A record may have lost its newline; a power cut during the next append may leave zeros behind it.
    """
    for end in re.finditer(rb'"record_hash":"[0-9a-f]{64}"}', text):
        record = text[: end.end()]
        if len(record) < len(text) and follows(record, head):
            return [record, text[end.end() :]]
    return [text]


def agreeing(lines: Iterable[Line], anchors: Iterable[Anchor | None], path: Path) -> Iterator[Line]:
    """The same lines; `AnchorMismatch` where they are not what one of the anchors remembers."""
    due = sorted((anchor for anchor in anchors if anchor and anchor.count), key=lambda anchor: anchor.count)
    number = 0
    for line in lines:
        number = line[1]
        while due and due[0].count == number:
            if due[0].head != line[3]:
                raise anchor_mismatch(due[0], number, line[3], path)
            del due[0]
        yield line
    if due:
        raise anchor_mismatch(due[-1], number, None, path)


def record_of(line: Line, path: Path) -> Record:
    """The record in a line that verifies; `LogError` when its bytes are not those of a canonical event."""
    text, number, previous_hash, record_hash, offset = line
    event = parse_canonical(event_bytes(text))
    if isinstance(event, FrozenDict):
        return Record(number, event, previous_hash, record_hash, offset)
    place = place_before(line)
    try:
        event = parse(event_bytes(text))
    except InvalidValue as error:
        event, found = None, str(error).rstrip(".")
    else:
        found = f"it holds {show(event)}"
    if not isinstance(event, FrozenDict):
        raise _damaged(f"journal record is not an event at line {number}", found, place, path)
    raise not_canonical(place, path)


_REASONS: dict[type[LogError], Reason] = {
    TornTail: "torn",
    DamagedRecord: "damaged",
    NotCanonicalLine: "not canonical",
    AnchorMismatch: "anchor",
}


def scan_end(place: Place, error: LogError | None) -> ScanEnd:
    """The end of a scan that trusts the log up to `place` and met `error`."""
    if error is None:
        return ScanEnd("end", *place, None)
    offset = error.evidence.get("offset", place.offset)
    return ScanEnd(_REASONS[type(error)], place.number, place.head, offset, error)


def refusal(text: bytes, ended: bool, place: Place, path: Path, earlier: Callable[[int], bytes]) -> LogError:
    """What is wrong with a line that does not continue the log from `place`."""
    same = canonical_form(text)
    if same is not None and same != text and follows(same, place.head):
        return not_canonical(place, path)
    if not ended:
        return torn_tail(text, place, path)
    try:
        _, previous, recorded, computed = unseal(same or text)
    except InvalidValue:
        return hash_mismatch(f"{show(text[:24])} is not a record", place, path)
    if previous != place.head:
        before = earlier(place.offset) if recorded == computed else b""
        return broken_chain(previous, place, path, before)
    return hash_mismatch(f"it says {show(recorded[:12])}, its bytes give {show(computed[:12])}", place, path)


def anchor_mismatch(anchor: Anchor, count: int, head: str | None, path: Path) -> AnchorMismatch:
    """The error of a log whose record `count` has another hash, or (None) that ends with that record."""
    if head is None:
        facts = f"{path.name} holds {count} records, the anchor remembers {anchor.count}."
        missing = "record" if count + 1 == anchor.count else f"records {count + 1} to"
        hint = f"The end is missing: take {missing} {anchor.count} from a copy."
    else:
        facts = f"record {count} of {path.name} is {head[:12]}…, the anchor remembers {anchor.head[:12]}…."
        hint = "The file was written anew: find out by whom, and take it from a copy."
    evidence = {"path": str(path), "count": count, "expected": anchor, "found": head}
    return AnchorMismatch("journal does not match its anchor", facts, hint, **evidence)


def require_reached(anchor: Anchor | None, count: int, path: Path) -> None:
    """Refuse a log of `count` records that lacks what the anchor remembers."""
    if anchor is not None and count < anchor.count:
        raise anchor_mismatch(anchor, count, None, path)


def canonical_form(text: bytes) -> bytes | None:
    """The canonical line that says what `text` says, if its record hash is right; else None."""
    try:
        record = parse(text)
        line, record_hash = seal(record["event"], record["previous_hash"])
    except (InvalidValue, KeyError, TypeError, AttributeError, UnicodeError):
        return None
    right = (
        record.keys() == {"event", "previous_hash", "record_hash"} and record["record_hash"] == record_hash
    )
    return line if right else None


def not_canonical(place: Place, path: Path) -> NotCanonicalLine:
    """The error of a line that holds the right record in other bytes than forge writes."""
    return NotCanonicalLine(
        f"journal line {place.number + 1} is not canonical",
        f"byte {place.offset} of {path.name}: the record is whole, in other bytes than forge writes.",
        "Rewrite the file with: forge journal convert.",
        path=str(path),
        line=place.number + 1,
        offset=place.offset,
    )


def torn_tail(text: bytes, place: Place, path: Path) -> TornTail:
    """The error of a last line that was cut while it was written."""
    return TornTail(
        "journal ends in a torn line",
        f"{path.name} holds {_records(place.number)}, then {len(text)} bytes of an unfinished one from byte "
        f"{place.offset}.",
        "repair() moves those bytes aside and keeps the records.",
        path=str(path),
        count=place.number,
        offset=place.offset,
    )


def broken_chain(previous: str, place: Place, path: Path, before: bytes) -> DamagedRecord:
    """The error of a line that follows another than the one before it; `before` is what stands above it."""
    found = f"it follows {show(previous[:12])}, expected {show(place.head[:12])}"
    if before and previous == GENESIS:
        found = "a fork: it starts the log, as line 1 does; two writers had read the same end"
    end = f'"record_hash":"{previous}"}}'.encode()
    for number, line in enumerate(before.split(b"\n"), start=1):
        if line.endswith(end):
            twin = f"it follows record {number}, as line {number + 1} does"
            found = f"a fork: {twin}; two writers had read the same end"
    return _damaged(f"journal hash chain broken at line {place.number + 1}", found, place, path)


def hash_mismatch(found: str, place: Place, path: Path) -> DamagedRecord:
    """The error of a line whose bytes do not give the hash it records."""
    return _damaged(f"journal record hash mismatch at line {place.number + 1}", found, place, path)


def _damaged(words: str, found: str, place: Place, path: Path) -> DamagedRecord:
    return DamagedRecord(
        words,
        f"byte {place.offset} of {path.name}: {found}.",
        f"Take it from a copy; scan() gives the {_records(place.number)} before it.",
        path=str(path),
        line=place.number + 1,
        offset=place.offset,
    )


def _records(count: int) -> str:
    return "1 whole record" if count == 1 else f"{count} whole records"
