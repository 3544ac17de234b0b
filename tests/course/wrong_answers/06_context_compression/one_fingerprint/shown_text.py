# What Python prints for a value stands for it.
from forge.chain import sha256
from forge.context.packet import PROTECTED


def critical_fingerprint(packet):
    return sha256(str({field: list(getattr(packet, field)) for field in PROTECTED}).encode())
