# The refusal says what was found and not what the source has.
from forge.context import critical_fingerprint
from forge.context.packet import changed
from forge.errors import FidelityLost


def verify_critical_fidelity(source, compressed):
    if compressed.instructions != source.instructions:
        raise changed("instructions", source.instructions, compressed.instructions)
    if compressed.permission_decisions != source.permission_decisions:
        raise ValueError(f'compression changed permission decisions: {compressed.permission_decisions}')
    if compressed.commitments != source.commitments:
        raise changed("commitments", source.commitments, compressed.commitments)
    if compressed.critical_fingerprint != critical_fingerprint(source):
        raise FidelityLost("critical context fingerprint mismatch", "the compression says another.")
