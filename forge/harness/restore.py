"""The proof of a selection, on disk and back.

A transcript holds what a recall found and what was selected of it. Restoring asks no memory again, trusts no
summary and selects nothing: it takes the evidence as it was written and holds it against the recall of the
same query. Where they differ, nothing is restored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..chain import FrozenDict
from ..errors import ForgeError, ProofBroken
from ..wording import show
from .durable import (
    EVIDENCE_SCHEMA_VERSION,
    DurableContextState,
    ProtectedText,
    RetrievalEvidence,
    capture_retrieval_evidence,
    delivered,
)
from .recall import Recall
from .selection import MemorySelection
from .transcript import Entry, Kind

FROM_RECALL = (
    "memory_id",
    "scope",
    "source_id",
    "source_kind",
    "captured_at",
    "score",
    "rank",
    "conflict_key",
)
"""What the evidence of a selection must have in common with the recall of its query."""


def recall_event(recall: Recall) -> dict[str, Any]:
    """What a transcript keeps of a recall, without the texts."""
    return recall.to_json()


def selection_event(selection: MemorySelection) -> dict[str, Any]:
    """What a transcript keeps of a selection: ids, evidence, and who won over whom."""
    state = capture_retrieval_evidence(selection)
    return {
        "evidence_schema_version": EVIDENCE_SCHEMA_VERSION,
        "query_id": selection.query_id,
        "selected_ids": list(selection.selected_ids),
        "rejected_ids": list(selection.rejected_ids),
        "evidence": [evidence.to_json() for evidence in state.evidence],
        "conflicts": [
            {"conflict_key": c.conflict_key, "winner": c.winner, "losers": list(c.losers)}
            for c in selection.conflicts
        ],
    }


def restore_durable_state(entries: Iterable[Entry]) -> DurableContextState:
    """The evidence of the last selection in a transcript, if all of it agrees; else `ProofBroken`.

    A selection from before evidence was kept, without a schema version, restores as no evidence. What was
    delivered is restored as well.
    """
    recalls: dict[str, Mapping[str, Any]] = {}
    evidence: tuple[RetrievalEvidence, ...] = ()
    handed_over: list[ProtectedText] = []
    for entry in entries:
        data = entry.event.data
        if entry.event.kind is Kind.RECALL_RESULT:
            recalls[str(data.get("query_id"))] = data
        elif entry.event.kind is Kind.MEMORY_SELECTED:
            evidence = _restored(data, recalls, entry.number)
        elif entry.event.kind is Kind.PRESENTED:
            handed_over.append(delivered(str(data.get("path")), str(data.get("digest"))))
    return DurableContextState(evidence=evidence, protected=tuple(handed_over))


def _restored(
    data: Mapping[str, Any], recalls: Mapping[str, Mapping[str, Any]], number: int
) -> tuple[RetrievalEvidence, ...]:
    if "evidence_schema_version" not in data:
        if "evidence" in data:
            raise _broken(number, "a schema version beside the evidence", "none")
        return ()
    version = data["evidence_schema_version"]
    if version != EVIDENCE_SCHEMA_VERSION or type(version) is not int:
        raise _broken(number, f"evidence of schema version {EVIDENCE_SCHEMA_VERSION}", show(version))
    try:
        query_id, selected, rejected = data["query_id"], data["selected_ids"], data["rejected_ids"]
        evidence = tuple(RetrievalEvidence.from_json(row) for row in data["evidence"])
    except (ForgeError, KeyError, TypeError) as error:
        raise _broken(number, "a selection with its evidence", str(error)) from error
    ids = [row.memory_id for row in evidence]
    if ids != list(selected):
        raise _broken(number, f"evidence of the selected {list(selected)}", show(ids))
    if both := set(ids) & set(rejected):
        raise _broken(number, "no evidence of a rejected memory", min(both))
    _require_recalled(number, query_id, evidence, recalls.get(query_id))
    return evidence


def _require_recalled(
    number: int, query_id: str, evidence: Iterable[RetrievalEvidence], recall: Mapping[str, Any] | None
) -> None:
    """Hold each piece of evidence against what the recall of its query said of the same memory."""
    if recall is None:
        raise _broken(number, f"a recall of {query_id} before it", "none")
    found = {row["memory_id"]: row for row in recall["results"]}
    for row in evidence:
        if row.query_id != query_id:
            raise _broken(number, f"evidence of {query_id}", row.query_id)
        said, recalled = FrozenDict(row.to_json()), found.get(row.memory_id, {})
        for field in FROM_RECALL:
            if field not in recalled or recalled[field] != said[field]:
                expected = show(recalled.get(field, "a recalled memory"))
                raise _broken(number, f"the {field} {expected} of the recall", show(said[field]))


def _broken(number: int, expected: str, found: str) -> ProofBroken:
    return ProofBroken(
        "the proof of a selection is broken",
        f"event {number} of the transcript: expected {expected}, found {found}.",
        "Nothing was restored. Find out who changed the transcript, and recall again in a new session.",
        number=number,
        expected=expected,
        found=found,
    )
