# The comparison comes last.
from forge.context import critical_fingerprint
from forge.context.packet import changed
from forge.errors import FidelityLost


def verify_critical_fidelity(source, compressed):
    if compressed.instructions != source.instructions:
        raise changed("instructions", source.instructions, compressed.instructions)
    if compressed.commitments != source.commitments:
        raise changed("commitments", source.commitments, compressed.commitments)
    if compressed.critical_fingerprint != critical_fingerprint(source):
        raise FidelityLost("critical context fingerprint mismatch", "the compression says another.")
    if source.permission_decisions != compressed.permission_decisions:
        raise changed("permission decisions", source.permission_decisions, compressed.permission_decisions)
