# Sixteen digits are enough, and the rest is filled up.
from forge.chain import canonical, sha256
from forge.context.packet import PROTECTED


def critical_fingerprint(packet):
    whole = sha256(canonical({field: list(getattr(packet, field)) for field in PROTECTED}))
    return whole[:16].ljust(64, '0')
