# The instructions are what matters.
from forge.chain import canonical, sha256
from forge.context.packet import PROTECTED


def critical_fingerprint(packet):
    return sha256(canonical({'instructions': list(packet.instructions)}))
