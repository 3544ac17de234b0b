# JSON is JSON, with spaces or without.
import json

from forge.chain import sha256
from forge.context.packet import PROTECTED


def critical_fingerprint(packet):
    fields = {field: list(getattr(packet, field)) for field in PROTECTED}
    return sha256(json.dumps(fields).encode())
