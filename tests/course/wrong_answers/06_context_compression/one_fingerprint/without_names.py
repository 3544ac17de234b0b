# The order of the fields tells them apart, their names are not needed.
from forge.chain import canonical, sha256
from forge.context.packet import PROTECTED


def critical_fingerprint(packet):
    return sha256(canonical([list(getattr(packet, field)) for field in PROTECTED]))
