# The three fields are written out.
from forge.chain import canonical, sha256


def critical_fingerprint(packet):
    protected = {
        "instructions": list(packet.instructions),
        "permission_decisions": list(packet.permission_decisions),
        "commitments": list(packet.commitments),
    }
    return sha256(canonical(protected))
