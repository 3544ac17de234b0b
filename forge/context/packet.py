"""The context of one model call, and its short form: what is protected is the same in both, word for word."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from ..chain import canonical, sha256
from ..errors import FidelityLost, ForgeModel
from ..wording import show

Kind = Literal["instruction", "permission decision", "commitment", "fingerprint"]

PROTECTED: dict[str, Kind] = {
    "instructions": "instruction",
    "permission_decisions": "permission decision",
    "commitments": "commitment",
}
"""The fields that a compression must not change, and what one text in each of them is."""


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# A length makes pydantic look into each text, and refuse one that is not valid Unicode.
Texts = Annotated[tuple[Annotated[str, Field(min_length=0)], ...], BeforeValidator(_as_tuple)]


class ContextPacket(ForgeModel):
    """What one call shows to the model, oldest first in each field. Only `messages` may be shortened."""

    instructions: Texts = ()
    permission_decisions: Texts = ()
    commitments: Texts = ()
    messages: Texts = ()


class CompressedContext(ForgeModel):
    """A packet whose messages became one summary.

    `covered_message_count` says how many of the packet's messages, counted from the newest, the summary
    stands for; the older ones are in it no longer. None: nobody counted. `critical_fingerprint` is the
    fingerprint of the protected fields.
    """

    instructions: Texts
    permission_decisions: Texts
    commitments: Texts
    message_summary: Annotated[str, Field(min_length=0)]
    source_message_count: int = Field(ge=0)
    critical_fingerprint: str = Field(min_length=64, max_length=64)
    covered_message_count: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _covers_no_more_than_there_was(self) -> Self:
        if (self.covered_message_count or 0) > self.source_message_count:
            raise ValueError("a covered_message_count of at most source_message_count")
        return self


def critical_fingerprint(packet: ContextPacket) -> str:
    """The SHA-256 of the three protected fields, as canonical JSON: 64 hexadecimal digits.

    Any change of any text, of their order or of the field they stand in gives another one. It has no key:
    whoever changes a compressed context can compute it again. What shows that is the source.
    """
    return sha256(canonical({field: list(getattr(packet, field)) for field in PROTECTED}))


def verify_critical_fidelity(source: ContextPacket, compressed: CompressedContext) -> None:
    """Return when `compressed` holds what `source` protects, word for word; else raise `FidelityLost`."""
    if compressed.instructions != source.instructions:
        raise changed("instructions", source.instructions, compressed.instructions)
    if compressed.permission_decisions != source.permission_decisions:
        raise changed("permission decisions", source.permission_decisions, compressed.permission_decisions)
    if compressed.commitments != source.commitments:
        raise changed("commitments", source.commitments, compressed.commitments)
    if compressed.critical_fingerprint != critical_fingerprint(source):
        raise FidelityLost(
            "critical context fingerprint mismatch",
            f"the source has {critical_fingerprint(source)[:12]}…, "
            f"the compression says {compressed.critical_fingerprint[:12]}….",
            "Do not use it. Compress the source again.",
            field="critical_fingerprint",
            expected=critical_fingerprint(source),
            found=compressed.critical_fingerprint,
        )


def changed(name: str, expected: tuple[str, ...], found: tuple[str, ...]) -> FidelityLost:
    """The error that names the first text in which two protected fields differ."""
    same = 0
    while same < min(len(expected), len(found)) and expected[same] == found[same]:
        same += 1
    before, after = (show(texts[same]) if same < len(texts) else "nothing" for texts in (expected, found))
    return FidelityLost(
        f"compression changed {name}",
        f"text {same + 1} was {before}, found {after}.",
        "Do not use it. Compress the source again.",
        field=name.replace(" ", "_"),
        index=same,
        expected=expected,
        found=found,
    )
