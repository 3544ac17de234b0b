"""Rewriting a journal whose lines say the right thing in other bytes than forge writes.

Such a line has spaces after its commas, say. Its hash was taken over the canonical bytes, so what it says is
verified by writing it canonically, and every hash stays what it was: an anchor of the old file holds for the
new one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count as count_from
from os import PathLike
from pathlib import Path

from ..chain import follows, parse, seal
from ..errors import InvalidValue, NotCanonicalLine, StorageError, TornTail
from ..lines import Place, place_after, record_of, refusal, split_lines
from ..storage import REAL_DISK, Disk, atomic_replace


@dataclass(frozen=True, slots=True)
class Conversion:
    """What `convert` did: `path` holds `count` records, of which `changed` were in other bytes before.

    `kept` is where the old bytes stand; None when the journal was canonical already. `torn` is the number of
    bytes of an unfinished last line. They were carried over as they are, for `repair` to move aside.
    """

    path: Path
    kept: Path | None
    count: int
    changed: int
    torn: int


def convert(
    path: str | PathLike[str], to: str | PathLike[str] | None = None, *, disk: Disk = REAL_DISK
) -> Conversion:
    """Write the journal canonically: to the new file `to`, or in its place with the old one kept beside it.

    Every record is verified first; a line that does not verify raises its `LogError`, and nothing is written.
    """
    path = Path(path)
    if disk.size(path) is None:
        raise InvalidValue("there is no journal to convert", f"{path} does not exist.", path=str(path))
    with disk.lock(path):
        data = disk.read(path)
        lines, changed, tail = canonical_lines(data, path)
        new = b"".join(line + b"\n" for line in lines) + tail
        if to is not None:
            _create(Path(to), new, disk)
            return Conversion(Path(to), path, len(lines), changed, len(tail))
        if not changed:
            return Conversion(path, None, len(lines), 0, len(tail))
        kept = _free_name(path, data, disk)
        atomic_replace(kept, data, disk=disk)
        atomic_replace(path, new, disk=disk)
        return Conversion(path, kept, len(lines), changed, len(tail))


def canonical_lines(data: bytes, path: Path) -> tuple[list[bytes], int, bytes]:
    """The canonical lines of a log's bytes, how many were in other bytes, and its torn tail."""
    texts, rest = split_lines(data)
    lines: list[bytes] = []
    place, changed, offset = Place(), 0, 0
    for index, text in enumerate([*texts, rest] if rest else texts):
        line = text
        if follows(text, place.head) is None:
            here = place._replace(offset=offset)
            error = refusal(text, index < len(texts), here, path, lambda size: data[:size])
            if isinstance(error, TornTail):
                return lines, changed, text
            if not isinstance(error, NotCanonicalLine):
                raise error
            line, _ = seal(parse(text)["event"], place.head)
            changed += 1
        verified = (line, place.number + 1, place.head, str(follows(line, place.head)), place.offset)
        record_of(verified, path)
        lines.append(line)
        place = place_after(verified)
        offset += len(text) + 1
    return lines, changed, b""


def _create(path: Path, data: bytes, disk: Disk) -> None:
    if disk.size(path) is not None:
        raise StorageError(
            "the file exists", f"{path} would be overwritten.", "Name a new one.", path=str(path)
        )
    atomic_replace(path, data, disk=disk)


def _free_name(path: Path, data: bytes, disk: Disk) -> Path:
    """A name for the old bytes: a free one, or one that holds them already."""
    for attempt in count_from(1):
        again = "" if attempt == 1 else f".{attempt}"
        kept = path.with_name(f"{path.name}.before-convert{again}")
        if disk.size(kept) is None or disk.read(kept) == data:
            break
    return kept
