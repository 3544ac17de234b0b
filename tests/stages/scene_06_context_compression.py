"""Stage 6, another scene: what must be true of the review whose permission was changed."""

from __future__ import annotations

from forge.context import CompressedContext, ContextPacket, critical_fingerprint
from forge.course.scenes import release_review
from forge.errors import FidelityLost

REVIEW = ContextPacket(
    instructions=(
        "Review the frontend change before writing.",
        "Keep test evidence for every modification.",
    ),
    permission_decisions=("write_access=revoked",),
    commitments=("Do not publish partial results.",),
)


def test_the_changed_permission_of_the_review_is_refused():
    found = release_review()
    shape = len(found) if isinstance(found, tuple) else type(found).__name__
    assert shape == 2, "the scene must return two things, the compression and the refusal"
    short, refusal = found
    assert type(short) is CompressedContext, "the first must be the compression"
    assert short.instructions == REVIEW.instructions, "the instructions must be the two of the scene"
    assert short.permission_decisions == REVIEW.permission_decisions, (
        "the compression must be returned as it was before the change"
    )
    assert short.commitments == REVIEW.commitments, "the commitment must be the one of the scene"
    assert short.critical_fingerprint == critical_fingerprint(REVIEW), "the fingerprint must be the packet's"
    has_messages = short.source_message_count > 0
    assert has_messages == True, "the packet must hold at least one message"  # noqa: E712
    assert type(refusal) is FidelityLost, "the second must be the error of verify_critical_fidelity"
    assert refusal.words == "compression changed permission decisions", "it must speak of the permissions"
    assert refusal.evidence["found"] == ("write_access=allowed",), "the change must be write_access=allowed"
