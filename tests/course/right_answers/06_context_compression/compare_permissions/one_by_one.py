# The texts are compared pair by pair, after their number.
from forge.context import critical_fingerprint
from forge.context.packet import changed
from forge.errors import FidelityLost


def verify_critical_fidelity(source, compressed):
    if compressed.instructions != source.instructions:
        raise changed("instructions", source.instructions, compressed.instructions)
    before, after = source.permission_decisions, compressed.permission_decisions
    if len(before) != len(after) or any(one != other for one, other in zip(before, after)):
        raise changed("permission decisions", before, after)
    if compressed.commitments != source.commitments:
        raise changed("commitments", source.commitments, compressed.commitments)
    if compressed.critical_fingerprint != critical_fingerprint(source):
        raise FidelityLost("critical context fingerprint mismatch", "the compression says another.")
