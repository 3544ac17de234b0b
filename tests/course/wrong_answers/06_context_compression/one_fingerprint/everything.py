# The packet is hashed, with its messages.
from forge.chain import canonical, sha256
from forge.context.packet import PROTECTED


def critical_fingerprint(packet):
    return sha256(canonical(packet.model_dump(mode='json')))
