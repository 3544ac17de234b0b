# A changed permission is a PermissionError.
from forge.context import critical_fingerprint
from forge.context.packet import changed
from forge.errors import FidelityLost


def verify_critical_fidelity(source, compressed):
    if compressed.instructions != source.instructions:
        raise changed("instructions", source.instructions, compressed.instructions)
    if compressed.permission_decisions != source.permission_decisions:
        raise PermissionError('compression changed permission decisions')
    if compressed.commitments != source.commitments:
        raise changed("commitments", source.commitments, compressed.commitments)
    if compressed.critical_fingerprint != critical_fingerprint(source):
        raise FidelityLost("critical context fingerprint mismatch", "the compression says another.")
