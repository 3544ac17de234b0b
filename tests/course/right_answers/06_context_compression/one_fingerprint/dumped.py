# The packet is written as JSON without its messages.
from forge.chain import canonical, sha256


def critical_fingerprint(packet):
    return sha256(canonical(packet.model_dump(mode='json', exclude={'messages'})))
