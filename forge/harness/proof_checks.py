"""The invariants of the integration proof. Each returns when it holds and raises `ProofBroken` when not."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Never

from ..errors import ProofBroken
from ..wording import show
from .durable import DurableContextState
from .facts import StoredFact
from .prompt import Prompt
from .selection import MemorySelection

EVENTS = ("session_opened", "recall_result", "memory_context_selected", "message", "tool_result")
"""What the transcript of an attempt holds: five events."""


def require_winner(selection: MemorySelection, winner: StoredFact, loser: StoredFact) -> None:
    """The workspace's fact is selected, the user's default is rejected for it, and both are named."""
    if selection.selected_ids != (winner.memory_id,):
        _broken("the winner of the conflict", winner.memory_id, selection.selected_ids)
    reasons = {rejected.memory_id: rejected.reason for rejected in selection.rejected}
    if reasons.get(loser.memory_id) != "conflict":
        _broken("the loser of the conflict", loser.memory_id, reasons)
    [chosen] = selection.selected
    for field in ("scope", "content", "source_id", "source_kind", "captured_at"):
        if getattr(chosen, field) != getattr(winner, field):
            _broken(f"the {field} of the winner", getattr(winner, field), getattr(chosen, field))


def require_same_proof(expected: DurableContextState, found: DurableContextState) -> None:
    """The evidence is what it was, row by row."""
    if not expected.evidence or found.evidence != expected.evidence:
        _broken("the evidence", expected.evidence, found.evidence)


def require_two_segments(prompt: Prompt, selection: MemorySelection, state: DurableContextState) -> None:
    """Recalled text and durable proof are two parts of the prompt, each whole, and neither an instruction."""
    for name in ("recalled_memory", "durable_proof"):
        standing = [part.standing for part in prompt.parts if part.name == name and not part.left_out]
        if standing != ["evidence"]:
            _broken(f"the segment {name}", "one segment that is evidence", standing)
    recalled, proof = prompt.part("recalled_memory"), prompt.part("durable_proof")
    rules = "".join(prompt.part(part.name) for part in prompt.parts if part.standing == "instruction")
    for chosen in selection.selected:
        if chosen.content not in recalled or chosen.content in proof or chosen.content in rules:
            _broken("the recalled text", "the text in its own segment alone", chosen.content)
    for evidence in state.evidence:
        if evidence.memory_id not in proof or evidence.memory_id in recalled:
            _broken("the durable proof", "the evidence in its own segment alone", evidence.memory_id)


def require_read_back(
    found: Mapping[str, Any], state: DurableContextState, memory_ids: tuple[str, ...]
) -> None:
    """Another process has read back five events, both memories from both stores, and the same proof."""
    if found["process"] == os.getpid():
        _broken("the restart", "another process, in which no object survives", "this process")
    for name, expected in (
        ("events", list(EVENTS)),
        ("memories", list(memory_ids)),
        ("remote", list(memory_ids)),
        ("proof", {**state.to_json(), "protected": []}),
        ("proof_sha256", state.digest),
    ):
        if found[name] != expected:
            _broken(f"the {name} that were read back", expected, found[name])


def _broken(what: str, expected: object, found: object) -> Never:
    raise ProofBroken(
        "the integration proof is broken",
        f"{what}: expected {show(expected)}, found {show(found)}.",
        "Nothing of this attempt counts. Look at the transcript of its session.",
        what=what,
        expected=expected,
        found=found,
    )
