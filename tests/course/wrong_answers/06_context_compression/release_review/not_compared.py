# The refusal is asserted, and the compression is not looked at.
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
    changed = short.model_copy(update={"permission_decisions": ("write_access=allowed",)})
    try:
        verify_critical_fidelity(packet, changed)
    except ValueError as error:
        assert "permission decisions" in str(error)
        return short, error
    raise AssertionError("the changed permission was accepted")
