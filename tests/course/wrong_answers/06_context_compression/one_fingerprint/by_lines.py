# A newline keeps two texts apart.
from forge.chain import sha256
from forge.context.packet import PROTECTED


def critical_fingerprint(packet):
    return sha256('\n'.join(text for field in PROTECTED for text in getattr(packet, field)).encode())
