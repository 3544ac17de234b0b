"""Summaries derived from memories, each with its lineage, so that deleting a memory reaches all of them.

What was deleted stays deleted. The id of a deleted memory, and of every summary that ever held its text, is
barred as a source for good: whoever has read that text may be summarising it at this moment. A memory may be
stored again under such an id, and a summary put again from other sources, but neither can be a source. What
is new gets a new id.

For the same reason the sources of a summary are remembered when it is put again with others.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..chain import check_text, refuse
from ..errors import SourceRefused
from ..store import Store
from ..wording import show

LAYOUT = {
    "summaries": "CREATE TABLE summaries (summary_id TEXT PRIMARY KEY, content TEXT NOT NULL)",
    # A row stays when its summary is put again without the source; `current` is then 0.
    "sources": """CREATE TABLE sources (
        summary_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        source_id TEXT NOT NULL,
        current INTEGER NOT NULL,
        PRIMARY KEY (summary_id, kind, source_id)
    )""",
    "summaries_of": "CREATE INDEX summaries_of ON sources (kind, source_id)",
    "tombstones": "CREATE TABLE tombstones (kind TEXT, id TEXT, PRIMARY KEY (kind, id))",
}

TAINTED = """WITH RECURSIVE tainted (id) AS (
    SELECT summary_id FROM sources WHERE kind = 'memory' AND source_id = :memory_id
    UNION
    SELECT summary_id FROM sources JOIN tainted ON kind = 'summary' AND source_id = tainted.id
)"""
"""The summaries that hold text of a memory, or once held it."""

DERIVED = """summary_id IN (
    SELECT summary_id FROM sources WHERE current
    AND (kind = 'memory' AND source_id = :memory_id OR kind = 'summary' AND source_id IN tainted)
)"""
"""Those of them that hold it now."""

MADE_FROM = """WITH RECURSIVE made (id) AS (
    SELECT :summary_id
    UNION
    SELECT summary_id FROM sources JOIN made ON kind = 'summary' AND source_id = made.id AND current
) SELECT id FROM made"""
"""A summary and all that are made from it."""


class DerivedSummaryCache(Store):
    """Summaries in one SQLite file, which several processes and threads may use at once.

    Another program that holds the file for longer than `patience` seconds raises `StoreBusy`. Without
    `durable` nothing waits for the disk, and a power cut may harm the cache: for tests and labs.
    """

    layout = LAYOUT

    def put(
        self,
        summary_id: str,
        source_memory_ids: Iterable[str],
        content: str,
        *,
        source_summary_ids: Iterable[str] = (),
    ) -> None:
        """Keep a summary together with everything it was made from; one of the same id is replaced.

        `SourceRefused`, a `ValueError`, when a source was deleted or held text of a deleted memory, when a
        source summary is not in the cache, or when the summary would be its own source. Then nothing changed.
        """
        memories = check_ids(source_memory_ids, "source_memory_ids")
        summaries = check_ids(source_summary_ids, "source_summary_ids")
        row = (check_id(summary_id, "summary_id"), check_content(content, "content"))
        with self.database.writing() as connection:
            sources = [("memory", one) for one in sorted(memories)]
            sources += [("summary", one) for one in sorted(summaries)]
            for kind, source_id in sources:
                self.require_live(summary_id, kind, source_id)
            self._require_no_circle(summary_id, summaries)
            connection.execute("INSERT OR REPLACE INTO summaries VALUES (?, ?)", row)
            connection.execute("UPDATE sources SET current = 0 WHERE summary_id = ?", (summary_id,))
            connection.executemany(
                "INSERT OR REPLACE INTO sources VALUES (?, ?, ?, 1)",
                ((summary_id, kind, source_id) for kind, source_id in sources),
            )

    def require_live(self, summary_id: str, kind: str, source_id: str) -> None:
        """Refuse a source that is barred, and a summary that is not in the cache.

        `kind` is "memory" or "summary": an id of the one says nothing about the same id of the other.
        """
        if self.database.read("SELECT 1 FROM tombstones WHERE kind = ? AND id = ?", (kind, source_id)):
            raise barred(summary_id, kind, source_id)
        if kind == "summary" and self.get(source_id) is None:
            raise unknown_source(summary_id, source_id)

    def _require_no_circle(self, summary_id: str, sources: set[str]) -> None:
        made_from_it = {row[0] for row in self.database.read(MADE_FROM, {"summary_id": summary_id})}
        for source_id in sorted(sources & made_from_it):
            words, hint = "a summary cannot be its own source", "Put it under a new id."
            raise _refused(words, summary_id, "summary", source_id, "is made from it", hint)

    def get(self, summary_id: str) -> str | None:
        """The summary's text; None when there is none, or no more."""
        rows = self.database.read("SELECT content FROM summaries WHERE summary_id = ?", (summary_id,))
        return str(rows[0][0]) if rows else None

    def derived_from(self, memory_id: str) -> dict[str, str]:
        """The summaries that hold text of a memory, directly or through other summaries: text by id."""
        rows = self.database.read(
            f"{TAINTED} SELECT summary_id, content FROM summaries WHERE {DERIVED} ORDER BY summary_id",
            {"memory_id": memory_id},
        )
        return {row["summary_id"]: row["content"] for row in rows}

    def tainted_by(self, memory_id: str) -> list[str]:
        """The ids of summaries that hold text of a memory, or once held it."""
        values = {"memory_id": check_id(memory_id, "memory_id")}
        return [row[0] for row in self.database.read(f"{TAINTED} SELECT id FROM tainted", values)]

    def invalidate_for_memory(self, memory_id: str) -> int:
        """Remove every summary that holds text of a memory, and bar its text from coming back; how many.

        From then on `put` refuses the memory and those summaries as sources, in every process, for good.
        """
        with self.database.writing():
            tainted = self.tainted_by(memory_id)
            derived = list(self.derived_from(memory_id))
            self.bar("memory", [memory_id])
            self.bar("summary", tainted)
            self.remove(derived)
        return len(derived)

    def bar(self, kind: str, ids: Iterable[str]) -> None:
        """Give each id a tombstone: it is no source any more, for good. Inside `writing()`.

        What was made of it is forgotten as well: `tainted_by` and `derived_from` are asked before.
        """
        rows = [(kind, each) for each in ids]
        self.connection.executemany("INSERT OR IGNORE INTO tombstones VALUES (?, ?)", rows)
        self.connection.executemany("DELETE FROM sources WHERE kind = ? AND source_id = ?", rows)

    def remove(self, summary_ids: Iterable[str]) -> None:
        """Remove summaries and what is known of their sources. Inside `writing()`."""
        rows = [(summary_id,) for summary_id in summary_ids]
        self.connection.executemany("DELETE FROM summaries WHERE summary_id = ?", rows)
        self.connection.executemany("DELETE FROM sources WHERE summary_id = ?", rows)

    def __repr__(self) -> str:
        return f"<summary cache {self.path.name}>"


def check_ids(ids: Iterable[str], path: str) -> set[str]:
    """The ids, each checked."""
    if isinstance(ids, str):  # whose letters would be taken for ids
        refuse(path, "a list of ids", show(ids))
    return {check_id(one, path) for one in ids}


def check_id(value: str, path: str) -> str:
    """The id itself, if it is one."""
    if value == "":
        refuse(path, "an id", "empty text")
    return check_content(value, path)


def check_content(value: str, path: str) -> str:
    """The text itself, if it is text that can be stored."""
    if not isinstance(value, str):
        refuse(path, "text", show(value))
    return check_text(value, path)


def barred(summary_id: str, kind: str, source_id: str) -> SourceRefused:
    """The error of a summary whose source has a tombstone."""
    why, hint = _BARRED[kind]
    return _refused(f"a summary of a deleted {kind} is refused", summary_id, kind, source_id, why, hint)


_BARRED = {
    "memory": ("was deleted", "Leave it out. What is new gets a new id."),
    "summary": (
        "held text of a deleted memory",
        "Make that one again, without the memory and under a new id, and name the new one.",
    ),
}


def unknown_source(summary_id: str, source_id: str) -> SourceRefused:
    """The error of a summary whose source is a summary that the cache does not hold."""
    words, why = "a summary of an unknown summary is refused", "is not in the cache"
    hint = "Put the source first: without it the lineage has a hole."
    return _refused(words, summary_id, "summary", source_id, why, hint)


def _refused(words: str, summary_id: str, kind: str, source_id: str, why: str, hint: str) -> SourceRefused:
    facts = f"{show(summary_id)} names the {kind} {show(source_id)}, which {why}."
    return SourceRefused(words, facts, hint, summary_id=summary_id, kind=kind, source_id=source_id)
