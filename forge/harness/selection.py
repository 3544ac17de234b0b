"""Mechanism 15, the choosing: which of the recalled facts a model is shown.

Recall says what speaks of a question. Whether it may be shown is another matter, decided here, by a policy
and not by the facts: a fact cannot say how much it counts. Everything is filtered first and counted off
then, so a fact that may not be shown takes no place from one that may.

Of facts with one conflict key one is shown, the winner: of higher authority, then learned later, then of
higher score. The losers are named beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator

from ..chain import FrozenDict, freeze, refuse
from ..errors import ForgeModel
from ..instants import instant
from ..wording import show
from .facts import Text
from .recall import Recall, RecallResult
from .tokens import count_tokens

Reason = Literal["scope", "minimum score", "authority", "conflict", "top k", "characters", "tokens"]


def _authorities(value: Any) -> FrozenDict:
    if not isinstance(value, Mapping) or any(type(rank) is not int for rank in value.values()):
        refuse("scopes", "the authority of each scope, a whole number", show(value))
    frozen: FrozenDict = freeze(dict(value), "scopes")
    return frozen


class SelectionPolicy(ForgeModel):
    """What may be shown. `scopes` gives the admitted scopes and the authority of each, more is stronger."""

    scopes: Annotated[dict[str, int], PlainValidator(_authorities)]
    minimum_score: float = Field(default=0.0, ge=0)
    minimum_authority: int = 0
    top_k: int = Field(default=5, ge=0)
    max_characters: int = Field(default=4_000, ge=0)
    max_tokens: int = Field(default=1_000, ge=0)


class Candidate(RecallResult):
    """A recalled fact with the authority that the policy gives its scope."""

    authority: int


class Rejected(ForgeModel):
    """A recalled fact that is not shown, and the first reason why."""

    memory_id: Text
    reason: Reason


class Conflict(ForgeModel):
    """Facts that answer one question differently: the one that is followed, and the others."""

    conflict_key: Text
    winner: Text
    losers: tuple[Text, ...]


class MemorySelection(ForgeModel):
    """What was chosen from the recall of one query, in the order of their ranks, and what was not."""

    query_id: Text
    selected: tuple[Candidate, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    @property
    def selected_ids(self) -> tuple[str, ...]:
        """The ids of what is shown, in order."""
        return tuple(candidate.memory_id for candidate in self.selected)

    @property
    def rejected_ids(self) -> tuple[str, ...]:
        """The ids of what is not shown, in the order of the recall."""
        return tuple(rejected.memory_id for rejected in self.rejected)


def select_memory_context(recall: Recall, policy: SelectionPolicy) -> MemorySelection:
    """What of a recall may be shown: by scope, score, authority, conflict, top k and budget, so ordered."""
    reasons: dict[str, Reason] = {}
    candidates = []
    for result in recall.results:
        reason = _barred(result, policy)
        if reason is None:
            candidates.append(Candidate(authority=policy.scopes[result.scope], **dict(result)))
        else:
            reasons[result.memory_id] = reason
    conflicts = list(_conflicts(candidates))
    reasons |= {loser: "conflict" for conflict in conflicts for loser in conflict.losers}
    left = [candidate for candidate in candidates if candidate.memory_id not in reasons]
    selected = _within(left, policy, reasons)
    order = (result.memory_id for result in recall.results)
    return MemorySelection(
        query_id=recall.query_id,
        selected=tuple(selected),
        rejected=tuple(Rejected(memory_id=i, reason=reasons[i]) for i in order if i in reasons),
        conflicts=tuple(conflicts),
    )


def _barred(result: RecallResult, policy: SelectionPolicy) -> Reason | None:
    if result.scope not in policy.scopes:
        return "scope"
    if result.score < policy.minimum_score:
        return "minimum score"
    return "authority" if policy.scopes[result.scope] < policy.minimum_authority else None


def _conflicts(candidates: Iterable[Candidate]) -> Iterable[Conflict]:
    groups: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        if candidate.conflict_key is not None:
            groups.setdefault(candidate.conflict_key, []).append(candidate)
    for key, group in groups.items():
        if len(group) > 1:
            winner, *losers = sorted(group, key=_standing, reverse=True)
            yield Conflict(
                conflict_key=key,
                winner=winner.memory_id,
                losers=tuple(loser.memory_id for loser in losers),
            )


def _standing(candidate: Candidate) -> tuple[int, int, float, str]:
    at = instant(candidate.captured_at)
    return candidate.authority, at, candidate.score, candidate.memory_id


def _within(
    candidates: Iterable[Candidate], policy: SelectionPolicy, reasons: dict[str, Reason]
) -> list[Candidate]:
    """Those that the budget has room for, best first; the others with the reason in `reasons`."""
    chosen: list[Candidate] = []
    characters = tokens = 0
    for candidate in candidates:
        size, length = len(candidate.content), count_tokens(candidate.content)
        if len(chosen) >= policy.top_k:
            reasons[candidate.memory_id] = "top k"
        elif characters + size > policy.max_characters:
            reasons[candidate.memory_id] = "characters"
        elif tokens + length > policy.max_tokens:
            reasons[candidate.memory_id] = "tokens"
        else:
            chosen.append(candidate)
            characters, tokens = characters + size, tokens + length
    return chosen
