# The hash before and the event are put one behind the other.
from forge.chain import canonical, parse, sha256


def link(event, previous_hash):
    record_hash = sha256(previous_hash.encode() + event)
    line = {"event": parse(event), "previous_hash": previous_hash, "record_hash": record_hash}
    return canonical(line), record_hash
