# One object with everything in it is written twice, with its hash and without.
from forge.chain import canonical, parse, sha256


def link(event, previous_hash):
    record = {"event": parse(event), "previous_hash": previous_hash}
    record_hash = sha256(canonical(record))
    return canonical({**record, "record_hash": record_hash}), record_hash
