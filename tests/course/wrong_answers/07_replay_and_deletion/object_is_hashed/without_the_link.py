# The event is what must not change, so the event is hashed.
from forge.chain import canonical, parse, sha256


def link(event, previous_hash):
    record_hash = sha256(event)
    line = {"event": parse(event), "previous_hash": previous_hash, "record_hash": record_hash}
    return canonical(line), record_hash
