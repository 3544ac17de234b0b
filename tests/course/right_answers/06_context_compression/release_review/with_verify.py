# The check itself says that nothing was lost, before the change and after it.
import pytest

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
    verify_critical_fidelity(packet, short)
    changed = short.model_copy(update={"permission_decisions": ("write_access=allowed",)})
    with pytest.raises(ValueError, match="permission decisions") as caught:
        verify_critical_fidelity(packet, changed)
    return short, caught.value
