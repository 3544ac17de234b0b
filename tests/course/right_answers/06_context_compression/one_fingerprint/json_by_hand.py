# Canonical JSON is made with the json module.
import hashlib
import json

from forge.context.packet import PROTECTED


def critical_fingerprint(packet):
    fields = {field: getattr(packet, field) for field in PROTECTED}
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
