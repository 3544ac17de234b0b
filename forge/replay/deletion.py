"""Deleting a memory everywhere: from its store, from every summary derived from it, and from the files.

Journals, checkpoints and transcripts need no deletion: they hold the ids of memories, never their text.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ..memory import MemoryStore
from .summaries import DerivedSummaryCache

SHORTEST = 16
"""Bytes. A shorter text may stand in a file by chance: finding it, or not, would show nothing."""

_PIECE, _MOST = 64, 64


class FileSearched(NamedTuple):
    """A file, and how many pieces of the deleted text stood in it before and after the deletion."""

    path: Path
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a deletion can show.

    * "gone": the files were written anew, and nothing of the text is found in them.
    * "pending": another program was reading and keeps the old bytes alive. Delete again when it is done.
    * "found elsewhere": the text is stored a second time, in another memory or in a summary that does not
      name its source.
    * "too short to search": the files were written anew, but a text of under 16 bytes is not searched for.
    """

    status: Literal["gone", "pending", "found elsewhere", "too short to search"]
    files: tuple[FileSearched, ...]

    def __str__(self) -> str:
        files = ", ".join(f"{path.name} {before} → {after}" for path, before, after in self.files)
        return f"{self.status}; pieces of the text in {files}"


class _Counts(NamedTuple):
    deleted: bool
    invalidated: int


class Deletion(_Counts):
    """Whether the memory was stored, and how many summaries went with it; `receipt` says what is left."""

    receipt: Receipt

    def __new__(cls, deleted: bool, invalidated: int, *, receipt: Receipt) -> Deletion:
        """A tuple of two, so that `deleted, invalidated = …` reads as it should."""
        deletion = super().__new__(cls, deleted, invalidated)
        deletion.receipt = receipt
        return deletion

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return tuple(self), {"receipt": self.receipt}


class Search:
    """Where the text of a memory and of the summaries derived from it stands: made before the deletion."""

    def __init__(self, memory_store: MemoryStore, summary_cache: DerivedSummaryCache, memory_id: str) -> None:
        self._databases = (memory_store.database, summary_cache.database)
        sql = "SELECT content FROM memories WHERE memory_id = ?"
        texts = [str(row[0]) for row in memory_store.database.read(sql, (memory_id,))]
        texts += summary_cache.derived_from(memory_id).values()
        self._pieces = {text: pieces(text.encode("utf-8")) for text in texts}
        self._before = self._found()

    def receipt(self) -> Receipt:
        """Scrub the files, then search them again."""
        pending = [database.scrub().pending for database in self._databases]
        after = self._found()
        files = tuple(
            FileSearched(path, self._before[path], after[path]) for path in sorted({*self._before, *after})
        )
        if any(pending):
            return Receipt("pending", files)
        if any(after.values()):
            return Receipt("found elsewhere", files)
        return Receipt("gone" if all(self._pieces.values()) else "too short to search", files)

    def _found(self) -> Counter[Path]:
        wanted = {piece for found in self._pieces.values() for piece in found}
        contents = [item for database in self._databases for item in database.contents().items()]
        return Counter({path: sum(piece in content for piece in wanted) for path, content in contents})


def pieces(text: bytes) -> list[bytes]:
    """Parts of a text to search for, spread over it: a long one does not stand in a database in one piece."""
    if len(text) < SHORTEST:
        return []
    last = max(0, len(text) - _PIECE)
    count = min(_MOST, -(-len(text) // _PIECE))
    return [text[at : at + _PIECE] for at in (last * n // max(1, count - 1) for n in range(count))]


def delete_memory_everywhere(
    memory_store: MemoryStore, summary_cache: DerivedSummaryCache, memory_id: str
) -> Deletion:
    """Delete a memory, every summary derived from it, and what their text left behind in the files.

    The summaries go first, and are barred from coming back, in one transaction: whenever the memory is gone,
    so are they. Should a crash come between, or a reader be in the way, the next call finishes the work. A
    memory that is not stored counts as not deleted; what was derived from it goes all the same.
    """
    search = Search(memory_store, summary_cache, memory_id)
    invalidated = summary_cache.invalidate_for_memory(memory_id)
    deleted = memory_store.delete(memory_id)
    return Deletion(deleted, invalidated, receipt=search.receipt())
