"""Questions to a version memory: what was known, what is in force, and which document says so.

A document states facts, one a line: `- meeting time: Tuesday 16:00`. A question names a fact. It is answered
by a document that is active and in force in the one view that the question fixes, or it is not answered.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..errors import ContractError
from ..wording import show
from .states import Row, State, active_docs
from .views import temporal_view

RECALLED = 3
"""How many documents are read for an answer."""

_FACT = re.compile(r"-\s*([^:：]+?)\s*[:：]\s*(.+)")


class Citation(NamedTuple):
    """Where an answer stands. `str` is for people; a check compares every field."""

    doc_id: str
    version: int
    sha256: str
    as_of: int
    on: str

    def __str__(self) -> str:
        return f"{self.doc_id}@{self.version}, {view_name(self.as_of, self.on)}"


class Answer(NamedTuple):
    """The value that the question asks for and its citation; or neither, and the reason."""

    question: str
    value: str | None
    citation: Citation | None
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.value} ({self.citation})" if self.citation else f"no answer: {self.reason}"


def answer(state: State, question: str, *, as_of: int, on: str) -> Answer:
    """The answer of the documents in force on the day `on`. `state` is the one after `as_of` events.

    It is refused when no document in force states the fact, and when two of them do.
    """
    wanted = words(question)
    if not wanted:
        raise ContractError("a question was refused", f"expected the name of a fact, found {show(question)}.")
    found = [
        (row, value)
        for row in recall(temporal_view(state, on), question)
        for name, value in facts(row["text"])
        if words(name) == wanted
    ]
    if len(found) != 1:
        cited = ", ".join(f"{row['doc_id']}@{row['version']}" for row, _ in found)
        reason = f"{cited} both say it" if found else "no document in force says it"
        return Answer(question, None, None, f"{reason} {view_name(as_of, on)}")
    [(row, value)] = found
    return Answer(question, value, Citation(row["doc_id"], row["version"], row["sha256"], as_of, on))


def view_name(as_of: int, on: str) -> str:
    """A view in words: after how many events, and on which day."""
    return f"after {as_of} {'event' if as_of == 1 else 'events'}, on {on}"


def recall(state: State, question: str, limit: int = RECALLED) -> list[Row]:
    """The `limit` active documents that share the most words with the question, those that share any.

    What may not be used is left out first. Ranked first and filtered afterwards, old versions would take the
    places of the one that holds.
    """
    wanted = words(question)
    shared = {row["doc_id"]: len(wanted & words(row["text"])) for row in active_docs(state)}
    rows = [row for row in active_docs(state) if shared[row["doc_id"]]]
    return sorted(rows, key=lambda row: -shared[row["doc_id"]])[:limit]


def facts(text: str) -> list[tuple[str, str]]:
    """The facts that a document's text states, by name."""
    lines = (_FACT.fullmatch(line.strip()) for line in text.split("\n"))
    return [(line[1], line[2]) for line in lines if line]


def words(text: str) -> frozenset[str]:
    """The words of a text; neither their case nor their order counts."""
    return frozenset(re.findall(r"\w+", text.casefold()))


def require_same(given: Answer, again: Answer) -> None:
    """Nothing, if the two are equal in every field; else the `ContractError` of the first that differs."""
    for field, found, expected in (*_fields(given, again), *_fields(given.citation, again.citation)):
        if type(found) is not type(expected) or found != expected:
            raise differing(field, show(expected), show(found))


def _fields(given: NamedTuple | None, again: NamedTuple | None) -> list[tuple[str, object, object]]:
    if given is None or again is None:
        return []
    return list(zip(given._fields, given, again, strict=True))


def differing(field: str, expected: str, found: str) -> ContractError:
    """The error for a field of an answer that is not what its prefix and its day give."""
    return ContractError(
        "the citation does not hold",
        f"{field}: expected {expected}, found {found}.",
        "Ask again, and cite what is answered.",
        field=field,
    )
