# Order does not matter, so the texts are sorted.
from forge.chain import canonical, sha256
from forge.context.packet import PROTECTED


def critical_fingerprint(packet):
    return sha256(canonical({field: sorted(getattr(packet, field)) for field in PROTECTED}))
