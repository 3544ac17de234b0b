# The source is changed and the compression stays.
from forge.context import ContextPacket, compress_context, verify_critical_fidelity


def release_review():
    packet = ContextPacket(
        instructions=(
            "Review the frontend change before writing.",
            "Keep test evidence for every modification.",
        ),
        permission_decisions=("write_access=revoked",),
        commitments=("Do not publish partial results.",),
        messages=("user: Please review the search page.", "assistant: I am reading the change."),
    )
    short = compress_context(packet)
    assert short.instructions == packet.instructions
    assert short.permission_decisions == packet.permission_decisions
    assert short.commitments == packet.commitments
    changed = packet.model_copy(update={"permission_decisions": ("write_access=allowed",)})
    try:
        verify_critical_fidelity(changed, short)
    except ValueError as error:
        assert "permission decisions" in str(error)
        return short, error
    raise AssertionError("the changed permission was accepted")
