# Commitments are a kind of instruction.
from forge.chain import canonical, sha256
from forge.context.packet import PROTECTED


def critical_fingerprint(packet):
    fields = ('instructions', 'permission_decisions')
    return sha256(canonical({field: list(getattr(packet, field)) for field in fields}))
