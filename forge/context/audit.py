"""The two-sided audit: nothing protected was lost, and nothing that binds was invented.

A check of one side misses the other: every instruction can be there, word for word, beside an approval that
nobody gave.

The second side reads the summary sentence by sentence and goes by words. A sentence that says "agreed",
"must" or "will", or `name=value`, claims something, and the same sentence by the same speaker must stand in
the source. So a claim in words that are not listed goes unseen, and one put in other words counts as
invented. What binds has fields of its own for that reason; a summary binds nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Literal

from ..errors import ForgeModel
from .compression import CUT, one_line
from .packet import PROTECTED, CompressedContext, ContextPacket, Kind, critical_fingerprint

CLAIMS: dict[Kind, re.Pattern[str]] = {
    "permission decision": re.compile(
        r"\b(agree[ds]?|approv\w+|allow(s|ed)?|permit\w*|permission|grant\w*|authori[sz]\w+|consent\w*"
        r"|confirm\w*|revok\w+|denie[sd]|forbidden)\b|\w=\w|同意|批准|允许|授权|撤销|禁止",
        re.IGNORECASE,
    ),
    "commitment": re.compile(
        r"\b(promis\w+|committed|commitment|will|shall|guarante\w+|pledg\w+)\b|\w['’]ll\b|承诺|保证",
        re.IGNORECASE,
    ),
    "instruction": re.compile(
        r"\b(must|never|always|do not|don['’]t|should|require[ds]?|ensure)\b|必须|不得|务必", re.IGNORECASE
    ),
}
"""How a sentence is recognised that claims to be one of these."""

_SPEAKER = re.compile(r"\w{1,20}[:：] ?")
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?]) |(?<=[。！？])")


class AuditRow(ForgeModel):
    """One text, and where the other side has it.

    `question` "kept": has the compression what the source protects? "sourced": has the source what the
    compression claims? `place` is where the text stands, `found` where the other side has it, or None.
    """

    question: Literal["kept", "sourced"]
    kind: Kind
    place: str
    text: str
    found: str | None

    @property
    def holds(self) -> bool:
        """Whether the other side has it."""
        return self.found is not None


class CompressionAudit(ForgeModel):
    """Every row of both sides; and the code points of the messages before, and of the summary after."""

    rows: tuple[AuditRow, ...]
    size_before: int
    size_after: int

    @property
    def holds(self) -> bool:
        """Whether nothing was lost and nothing was invented."""
        return not self.problems

    @property
    def problems(self) -> tuple[AuditRow, ...]:
        """The rows that do not hold."""
        return tuple(row for row in self.rows if not row.holds)


def audit_compression(
    source: ContextPacket, compressed: CompressedContext, *, previous: CompressedContext | None = None
) -> CompressionAudit:
    """Look in the compression for all that is protected, and in the source for all that is claimed.

    `previous` is the compression whose summary was folded in: then that summary is a source too.
    """
    rows: list[AuditRow] = []
    for field, kind in PROTECTED.items():
        before, after = getattr(source, field), getattr(compressed, field)
        rows += _rows("kept", kind, field, before, after)
        rows += _rows("sourced", kind, field, after, before)
    rows.append(_fingerprint_row(critical_fingerprint(source), compressed.critical_fingerprint))
    rows += claimed(compressed.message_summary, _lines(source, previous))
    return CompressionAudit(
        rows=tuple(rows),
        size_before=sum(map(len, source.messages)),
        size_after=len(compressed.message_summary),
    )


def _rows(
    question: Literal["kept", "sourced"],
    kind: Kind,
    field: str,
    texts: tuple[str, ...],
    other: tuple[str, ...],
) -> Iterator[AuditRow]:
    # Found in the same order: then two fields that hold each other's texts are equal.
    start = 0
    for index, text in enumerate(texts):
        found = None
        with suppress(ValueError):
            start = other.index(text, start) + 1
            found = f"{field}[{start - 1}]"
        yield AuditRow(question=question, kind=kind, place=f"{field}[{index}]", text=text, found=found)


def _fingerprint_row(expected: str, carried: str) -> AuditRow:
    place = "critical_fingerprint"
    found = place if carried == expected else None
    return AuditRow(question="kept", kind="fingerprint", place=place, text=expected, found=found)


def _lines(source: ContextPacket, previous: CompressedContext | None) -> dict[str, str]:
    places = {
        one_line(text): f"{field}[{index}]"
        for field in ("messages", *PROTECTED)
        for index, text in enumerate(getattr(source, field))
    }
    earlier = previous.message_summary.split("\n") if previous is not None else ()
    return {one_line(line): "the previous summary" for line in earlier} | places


def claimed(summary: str, lines: dict[str, str]) -> Iterator[AuditRow]:
    """A row for each sentence of the summary that claims to bind; `lines` says where the source has it."""
    said = {same(sentence): place for line, place in lines.items() for sentence in sentences(line)}
    for line in map(one_line, summary.split("\n")):
        for sentence in sentences(line):
            kind = next((kind for kind, words in CLAIMS.items() if words.search(sentence)), None)
            if kind is None or sentence.endswith(("?", "？")):
                continue
            found = said.get(same(sentence)) or cut_from(line, lines)
            yield AuditRow(question="sourced", kind=kind, place="message_summary", text=sentence, found=found)


def sentences(line: str) -> Iterator[str]:
    """The sentences of a line, each with the line's speaker before it."""
    # Each sentence keeps its speaker: "assistant: Done. User agreed." is not the user agreeing.
    match = _SPEAKER.match(line)
    speaker = match.group() if match else ""
    for sentence in _BETWEEN_SENTENCES.split(line[len(speaker) :]):
        if sentence:
            yield speaker + sentence


def same(sentence: str) -> str:
    """The sentence as it is compared: without its case and its last mark."""
    return sentence.casefold().rstrip(" .。!！")


def cut_from(line: str, lines: dict[str, str]) -> str | None:
    """Where the line stands that this one is the beginning of, if it ends with the mark of a cut."""
    if not line.endswith(CUT):
        return None
    return next((place for whole, place in lines.items() if whole.startswith(line[: -len(CUT)])), None)
