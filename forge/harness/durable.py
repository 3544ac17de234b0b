"""Mechanism 14, what no compaction touches: evidence of what was selected, and texts that bind.

Recalled text may be shortened, summarised and lost. Which facts were selected, from where and how well they
stood is kept beside the messages; so is, word for word, what a user ordered and permitted, what the model
promised and what was delivered. Compaction is given this state and hands it on; no summary is asked for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from pydantic import Field

from ..chain import canonical, sha256
from ..context import ContextPacket
from ..context.audit import CLAIMS
from ..errors import CompactionRefused, ForgeModel, ProofBroken
from ..instants import Instant, instant, moment
from ..wording import show
from .facts import Text
from .messages import Message, TextBlock
from .prompt import PromptPart
from .selection import MemorySelection

EVIDENCE_SCHEMA_VERSION = 1

SUMMARY_MARK = "[Summary of earlier messages: it quotes, and decides nothing.]"
"""The first line of a message that stands for others. What stands below it is nobody's word."""

SHORTENED = "whole in the transcript]"
"""The end of a line that was cut. A part of a sentence binds nobody: it may have said "I agree, but"."""

Binding = Literal["instruction", "permission decision", "commitment", "delivery"]

_OF_USERS: tuple[Literal["permission decision", "commitment", "instruction"], ...] = (
    "permission decision",
    "commitment",
    "instruction",
)
_PROMISE = re.compile(r"\b(promis\w+|committed|commitment|guarante\w+|pledg\w+)\b|承诺|保证", re.IGNORECASE)


class RetrievalEvidence(ForgeModel):
    """Why a fact was shown: its source, its place in the recall, and the digest of its text."""

    query_id: Text
    memory_id: Text
    scope: Text
    source_id: Text
    source_kind: Text
    captured_at: Instant
    score: float = Field(ge=0)
    rank: int = Field(ge=1)
    authority: int
    conflict_key: Text | None
    content_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")

    def to_json(self) -> dict[str, Any]:
        """The evidence as plain JSON values, its time in microseconds since 1970."""
        return {**dict(self), "captured_at": instant(self.captured_at)}

    @classmethod
    def from_json(cls, value: Any) -> RetrievalEvidence:
        """The evidence that plain JSON values describe, or `InvalidValue`."""
        at = value.get("captured_at") if isinstance(value, dict) else None
        return cls.model_validate({**value, "captured_at": moment(at)} if type(at) is int else value)


class ProtectedText(ForgeModel):
    """A text that binds, word for word. `source` is the digest of the message in which it was said."""

    kind: Binding
    text: Text
    source: str


class DurableContextState(ForgeModel):
    """What passes by every layer of a compaction: the evidence of the last selection, and what binds."""

    evidence: tuple[RetrievalEvidence, ...] = ()
    protected: tuple[ProtectedText, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The state as plain JSON values."""
        return {
            "evidence": [evidence.to_json() for evidence in self.evidence],
            "protected": [dict(text) for text in self.protected],
        }

    @property
    def digest(self) -> str:
        """The SHA-256 of the state as canonical JSON."""
        return sha256(canonical(self.to_json()))

    def texts(self, *kinds: Binding) -> tuple[str, ...]:
        """The protected texts of these kinds, oldest first."""
        return tuple(text.text for text in self.protected if text.kind in kinds)

    def packet(self, messages: tuple[str, ...] = ()) -> ContextPacket:
        """The state as `forge.context` protects it, with the texts that may be shortened."""
        return ContextPacket(
            instructions=self.texts("instruction"),
            permission_decisions=self.texts("permission decision"),
            commitments=self.texts("commitment", "delivery"),
            messages=messages,
        )

    def protecting(self, texts: Iterable[ProtectedText]) -> DurableContextState:
        """The state with these texts behind its own.

        A text that is said again stands again: of "yes", "no" and "yes" the last word counts.
        """
        return self.model_copy(update={"protected": (*self.protected, *texts)})

    def parts(self) -> tuple[PromptPart, ...]:
        """The state as parts of a prompt: both are evidence, neither is an instruction."""
        proof = tuple(canonical(evidence.to_json()).decode() for evidence in self.evidence)
        bound = tuple(f"{text.kind}: {text.text}" for text in self.protected)
        return (
            PromptPart(name="durable_proof", standing="evidence", lines=proof, source="selection"),
            PromptPart(name="protected_texts", standing="evidence", lines=bound, source="conversation"),
        )


EMPTY = DurableContextState()


def capture_retrieval_evidence(
    selection: MemorySelection, state: DurableContextState = EMPTY
) -> DurableContextState:
    """The state with the evidence of what was selected, and of nothing else.

    Evidence belongs to its query: that of an earlier one is replaced. `ProofBroken` when an id was both
    selected and rejected.
    """
    if both := set(selection.selected_ids) & set(selection.rejected_ids):
        raise ProofBroken(
            "a rejected memory became durable",
            f"{min(both)} was selected and rejected.",
            "Select again.",
            found=sorted(both),
        )
    rows = (
        RetrievalEvidence(
            content_sha256=sha256(chosen.content.encode()),
            **{
                name: getattr(chosen, name)
                for name in RetrievalEvidence.model_fields
                if name != "content_sha256"
            },
        )
        for chosen in selection.selected
    )
    return state.model_copy(update={"evidence": tuple(rows)})


def delivered(path: str, digest: str) -> ProtectedText:
    """That a file was handed over, in this version: what was delivered is not delivered again."""
    return ProtectedText(kind="delivery", text=f"delivered {path}, sha256 {digest}", source=digest)


def digest_of(message: Message) -> str:
    """The digest by which a protected text names the message it was said in: of its speaker and its texts."""
    texts = [block.text for block in message.blocks if isinstance(block, TextBlock)]
    return sha256(canonical([message.role, texts]))


def is_summary(message: Message) -> bool:
    """Whether a message stands for others."""
    first = message.blocks[0]
    return message.role == "user" and isinstance(first, TextBlock) and first.text.startswith(SUMMARY_MARK)


def protected_in(messages: Sequence[Message]) -> list[ProtectedText]:
    """The lines of the messages that bind: a user's orders and permissions, and the model's promises.

    Only what a user typed can permit: no result of a tool, no word of the model and no summary is one. It
    goes by words, those of `forge.context.audit`, and rather protects too much; a line is kept whole.
    """
    found = []
    for message in messages:
        if is_summary(message):
            continue
        source = ""
        for line in _lines(message):
            kind = None if line.endswith(SHORTENED) else _kind(message.role, line)
            if kind is not None:
                source = source or digest_of(message)
                found.append(ProtectedText(kind=kind, text=line, source=source))
    return found


def _lines(message: Message) -> list[str]:
    return [
        line for block in message.blocks if isinstance(block, TextBlock) for line in block.text.split("\n")
    ]


def _kind(role: str, line: str) -> Binding | None:
    if role == "assistant":
        return "commitment" if _PROMISE.search(line) else None
    return next((kind for kind in _OF_USERS if CLAIMS[kind].search(line)), None)


def require_traced(state: DurableContextState, history: Sequence[Message]) -> None:
    """Return when each permission of the state stands in a message of the user's in `history`."""
    asked = [text for text in state.protected if text.kind == "permission decision"]
    if not asked:
        return
    wanted = {text.text for text in asked}
    said = [
        (text.text, text.source)
        for message in history
        if message.role == "user" and wanted & set(_lines(message))
        for text in protected_in([message])
    ]
    for text in asked:
        if (text.text, text.source) not in said:
            raise CompactionRefused(
                "an approval points to no event of the user's",
                f"{show(text.text)} names the message {text.source[:12]}…, in which no user says it.",
                "Nothing was changed. Read the conversation again from its transcript.",
                text_source=text.source,
            )
