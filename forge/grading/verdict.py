"""What an answer is worth. What the shipped cell earns, or a constant, is where the points begin.

A refusal counts only when every case that must be accepted is: who refuses everything refuses nothing.
"""

from __future__ import annotations

import builtins
import json
from collections import Counter
from collections.abc import Sequence

from .. import errors
from .judging import Record
from .merge import Bound
from .probing import Case, Item
from .results import CaseResult, ItemResult, Verdict

_NAMES = {name for module in (builtins, errors) for name in vars(module) if name[:1].isupper()}


def verdict(
    item: Item,
    bound: Bound,
    cases: Sequence[Case],
    expected: Sequence[str],
    stub: Sequence[str],
    record: Record,
) -> ItemResult:
    """The verdict on one answer, from what was recorded of it."""
    found = record.values
    share = earned(expected, stub, found) if found else 0.0
    seen = tuple(
        CaseResult(
            says=case.says, right=wanted == value, expected=in_words(wanted), seen=_seen(wanted, value)
        )
        for case, wanted, value in (zip(cases, expected, found, strict=True) if found else ())
    )
    right = [case.right for case in seen]
    name, reason = _named(bound, right, record)
    hint = "" if name == "pass" else item.hints[min(int(share * len(item.hints)), len(item.hints) - 1)]
    return ItemResult(
        id=item.id,
        kind=item.kind,
        title=item.title,
        points=round(item.points * share, 2) if name in {"pass", "fail"} else 0.0,
        out_of=float(item.points),
        verdict=name,
        reason=reason,
        cases=seen,
        hint=hint,
        answer=bound.text if bound.attempted else "",
        recorded=record.values,
        how=record.how,
    )


def earned(expected: Sequence[str], stub: Sequence[str], found: Sequence[str]) -> float:
    """The share of the points that these values earn, from 0 to 1; 1 only when every one is right."""
    start = max(counted(expected, stub), _constant(expected))
    return max(0, counted(expected, found) - start) / (len(expected) - start)


def in_words(value: str) -> str:
    """What a case came to, in words that carry nothing else: an answer could write anything into a value."""
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return "something that cannot be read"
    head = found[0] if isinstance(found, list) and found else found
    if not isinstance(head, dict):
        return "something else"
    if "returned" in head:
        return "accepted"
    raised = head.get("raised")
    return (
        f"refused with {raised}" if isinstance(raised, str) and raised in _NAMES else "refused with an error"
    )


def _seen(wanted: str, value: str) -> str:
    """The same in words of what was seen, told apart from what was expected where only details differ."""
    words = in_words(value)
    if wanted == value or words != in_words(wanted):
        return words
    return "accepted, with another result" if words == "accepted" else "refused, for another reason"


def counted(expected: Sequence[str], found: Sequence[str]) -> int:
    """How many cases are right; those that must be refused count only when all others are."""
    accepting = [wanted == value for wanted, value in zip(expected, found, strict=True) if _accepts(wanted)]
    refusing = [
        wanted == value for wanted, value in zip(expected, found, strict=True) if not _accepts(wanted)
    ]
    return sum(accepting) + (sum(refusing) if all(accepting) else 0)


def _constant(expected: Sequence[str]) -> int:
    """How many cases an answer passes that looks at nothing and always gives the best value."""
    accepted = Counter(value for value in expected if _accepts(value))
    return max(accepted.values(), default=0)


def _accepts(value: str) -> bool:
    return in_words(value) == "accepted"


def _named(bound: Bound, right: Sequence[bool], record: Record) -> tuple[Verdict, str]:
    unfinished = '"NotImplementedError"'
    if not bound.attempted or (right and all(unfinished in value for value in record.values)):
        return "not attempted", ""
    if record.how in {"blocked"}:
        return "blocked", record.words
    if record.how:
        return "fail", record.words
    if not right:
        return "could not judge", "nothing was recorded"
    return ("pass", "") if all(right) else ("fail", f"{right.count(False)} of {len(right)} cases differ")
