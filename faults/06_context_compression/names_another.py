from forge.context import critical_fingerprint
from forge.context.packet import changed
from forge.errors import FidelityLost


def verify_critical_fidelity(source, compressed):
    """Return when the compression holds what `source` protects; else raise."""
    if compressed.instructions != source.instructions:
        raise changed("instructions", source.instructions, compressed.instructions)
    before, after = source.permission_decisions, compressed.permission_decisions
    if before != after:
        raise changed("instructions", before, after)
    if compressed.commitments != source.commitments:
        raise changed("commitments", source.commitments, compressed.commitments)
    if compressed.critical_fingerprint != critical_fingerprint(source):
        raise FidelityLost(
            "critical context fingerprint mismatch",
            f"the source has {critical_fingerprint(source)[:12]}…, "
            f"the compression says {compressed.critical_fingerprint[:12]}….",
        )
