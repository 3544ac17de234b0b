# Any refusal will do.
from forge.context import (
    CompressedContext,
    ContextPacket,
    compress_context,
    verify_critical_fidelity,
)


def release_review() -> tuple[CompressedContext, ValueError]:
    packet = ContextPacket(
        instructions=["Review the frontend change before writing.", "Keep test evidence for every modification."],
        permission_decisions=["write_access=revoked"],
        commitments=["Do not publish partial results."],
        messages=["user: please review the search page", "assistant: I read the diff and the three tests."],
    )
    short = compress_context(packet)
    assert short.instructions == packet.instructions
    assert short.permission_decisions == packet.permission_decisions
    assert short.commitments == packet.commitments
    tampered = short.model_copy(update={"permission_decisions": ["write_access=allowed"]})
    try:
        verify_critical_fidelity(packet, tampered)
    except ValueError as error:
        return short, error
    raise AssertionError("no refusal")
