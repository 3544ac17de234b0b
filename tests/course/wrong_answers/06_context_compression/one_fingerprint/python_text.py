# The text that Python shows is hashed.
from forge.chain import canonical, sha256
from forge.context.packet import PROTECTED


def critical_fingerprint(packet):
    """The SHA-256 of the protected fields of a packet, as canonical JSON."""
    # PROTECTED holds the three names, canonical(value) gives bytes,
    # and sha256(bytes) gives the digits.
    return sha256(str([list(getattr(packet, f)) for f in PROTECTED]).encode())
