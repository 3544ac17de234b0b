# The texts are put one behind the other.
from forge.chain import sha256
from forge.context.packet import PROTECTED


def critical_fingerprint(packet):
    return sha256(''.join(text for field in PROTECTED for text in getattr(packet, field)).encode())
