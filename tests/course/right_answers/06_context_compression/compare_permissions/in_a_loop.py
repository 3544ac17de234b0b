# All three fields are asked in one loop, by their names.
from forge.context import critical_fingerprint
from forge.context.packet import changed
from forge.errors import FidelityLost


def verify_critical_fidelity(source, compressed):
    for field in ("instructions", "permission_decisions", "commitments"):
        before, after = getattr(source, field), getattr(compressed, field)
        if before != after:
            raise changed(field.replace("_", " "), before, after)
    if compressed.critical_fingerprint != critical_fingerprint(source):
        raise FidelityLost("critical context fingerprint mismatch", "the compression says another.")
