# All protected texts in one list.
from forge.chain import canonical, sha256
from forge.context.packet import PROTECTED


def critical_fingerprint(packet):
    return sha256(canonical([text for field in PROTECTED for text in getattr(packet, field)]))
