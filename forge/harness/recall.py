"""Mechanism 12, the asking side: which facts of the remote memory speak of a question, best first.

Ranking is BM25 as SQLite's FTS5 computes it (sqlite.org/fts5.html#the_bm25_function). The index is made in
memory from the facts and is thrown away: the file of facts stays the only store. Scopes are filtered inside
the search, before the best are counted off, so no foreign fact takes a place from an own one.

Chinese, Japanese and Korean are written without spaces, and FTS5 splits at spaces: there a fact is indexed
under each character and each two that follow each other, and a question is split in the same way.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from pydantic import Field

from ..chain import canonical, check_text, sha256
from ..errors import ForgeModel, InvalidValue
from ..instants import Instant, instant, moment
from ..wording import show
from .facts import StoredFact, Text
from .remote_memory import RemoteMemoryStore

CROWD = 10_000
"""Facts that one question may make FTS5 score. Its rarest words come first; the others tell little."""

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_RUNS = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_IS_CJK = re.compile(rf"[{_CJK}]")


class RecallResult(ForgeModel):
    """One fact that speaks of a question: where it stands among them and where it comes from.

    `rank` counts from 1. `score` is the BM25 of SQLite with its sign turned, so more is better; it compares
    the results of one question and no others.
    """

    query_id: Text
    memory_id: Text
    rank: int = Field(ge=1)
    score: float = Field(ge=0)
    scope: Text
    content: Text
    source_id: Text
    source_kind: Text
    captured_at: Instant
    conflict_key: Text | None = None

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON values, its time in microseconds since 1970."""
        return {**dict(self), "captured_at": instant(self.captured_at)}

    @classmethod
    def from_json(cls, value: Any) -> RecallResult:
        """The result that plain JSON values describe, or `InvalidValue`."""
        at = value.get("captured_at") if isinstance(value, dict) else None
        return cls.model_validate({**value, "captured_at": moment(at)} if type(at) is int else value)


class Recall(NamedTuple):
    """A question, its id, the scopes it was asked in, and what was found, best first."""

    query_id: str
    query: str
    scopes: tuple[str, ...]
    results: tuple[RecallResult, ...]

    def to_json(self) -> dict[str, Any]:
        """What a transcript keeps of it: without the texts, which stand in the memory."""
        rows = [result.to_json() for result in self.results]
        return {
            "query_id": self.query_id,
            "query": self.query,
            "scopes": list(self.scopes),
            "results": [{key: row[key] for key in row if key != "content"} for row in rows],
        }


class RecallEngine:
    """Answers questions from the facts of a store, and takes in what was added to it since."""

    def __init__(self, store: RemoteMemoryStore) -> None:
        self._store = store
        self._facts: list[str] = []  # ids, by row number less one
        self._scopes: dict[str, int] = {}
        self._spread: Counter[str] = Counter()  # in how many facts a word stands
        self._index = sqlite3.connect(":memory:", isolation_level=None)
        self._index.execute("CREATE VIRTUAL TABLE facts USING fts5(words, scope, content='')")

    def recall(self, query: str, scopes: Iterable[str], *, limit: int = 20) -> Recall:
        """The facts of these scopes that share words with `query`, at most `limit`, best first.

        The same question to the same facts has the same id and the same results. A question without a word
        finds nothing.
        """
        if not isinstance(query, str):
            raise InvalidValue("query was refused", f"expected text, found {show(query)}.", path="query")
        check_text(query, "query")
        if type(limit) is not int or limit < 1:
            raise InvalidValue(
                "limit was refused", f"expected a whole number of at least 1, found {show(limit)}."
            )
        self.refresh()
        asked = tuple(sorted(set(scopes)))
        query_id = "query-" + sha256(canonical([query, list(asked), limit, len(self._facts)]))[:16]
        found = self._search(self._chosen(query), asked, limit)
        results = [self._result(query_id, rank, *row) for rank, row in enumerate(found, start=1)]
        return Recall(query_id, query, asked, tuple(results))

    def refresh(self) -> int:
        """Index the facts that were added since; how many there were."""
        before = len(self._facts)
        self._index.execute("BEGIN")
        try:
            for fact in self._store.since(before):
                self._add(fact)
        finally:
            self._index.execute("COMMIT")  # what was added before a damaged line stays found
        return len(self._facts) - before

    def close(self) -> None:
        """Let go of the index; again is no error."""
        self._index.close()

    def _add(self, fact: StoredFact) -> None:
        words = index_words(fact.content)
        scope = self._scopes.setdefault(fact.scope, len(self._scopes))
        values = (len(self._facts) + 1, " ".join(words), f"s{scope}")
        self._index.execute("INSERT INTO facts (rowid, words, scope) VALUES (?, ?, ?)", values)
        self._facts.append(fact.memory_id)
        self._spread.update(set(words))

    def _chosen(self, query: str) -> list[str]:
        """The rarest words of a question: all that together stand in at most `CROWD` facts; at least one."""
        known = [word for word in dict.fromkeys(question_words(query)) if self._spread[word]]
        chosen: list[str] = []
        crowd = 0
        for word in sorted(known, key=lambda word: (self._spread[word], word)):
            crowd += self._spread[word]
            if chosen and crowd > CROWD:
                break
            chosen.append(word)
        return chosen

    def _search(self, words: list[str], scopes: tuple[str, ...], limit: int) -> list[tuple[int, float]]:
        inside = [f'"s{self._scopes[scope]}"' for scope in scopes if scope in self._scopes]
        if not words or not inside:
            return []
        quoted = [f'"{word}"' for word in words]  # letters and digits only: nothing of FTS5's language
        match = f"scope : ({' OR '.join(inside)}) AND words : ({' OR '.join(quoted)})"
        order = "bm25(facts, 1.0, 0.0)"
        return self._index.execute(
            f"SELECT rowid, -{order} FROM facts WHERE facts MATCH ? ORDER BY {order}, rowid LIMIT ?",
            (match, limit),
        ).fetchall()

    def _result(self, query_id: str, rank: int, row: int, score: float) -> RecallResult:
        fact = self._store.get(self._facts[row - 1])
        assert fact is not None  # an append-only store forgets nothing
        return RecallResult(query_id=query_id, rank=rank, score=max(score, 0.0), **dict(fact))


def index_words(text: str) -> list[str]:
    """The words under which a text is found: words, and of CJK each character and each two neighbours."""
    runs = _runs(text)
    if text.isascii():
        return runs
    singles = [character for run in runs if _IS_CJK.match(run) and len(run) > 1 for character in run]
    return [*_split(runs), *singles]


def question_words(text: str) -> list[str]:
    """The words that a question looks for: of CJK the neighbours, and a character only where it is alone."""
    return _split(_runs(text))


def _split(runs: list[str]) -> list[str]:
    words: list[str] = []
    for run in runs:
        if len(run) > 1 and _IS_CJK.match(run):
            words += [first + second for first, second in pairwise(run)]
        else:
            words.append(run)
    return words


def _runs(text: str) -> list[str]:
    # Letters are compared without case and accents, as a person who types a question writes them.
    if text.isascii():
        return _RUNS.findall(text.lower())
    plain = unicodedata.normalize("NFKD", text)
    bare = "".join(mark for mark in plain if not unicodedata.combining(mark))
    return _RUNS.findall(unicodedata.normalize("NFC", bare).casefold())
