# What is stored is what is hashed, so both leave out what is empty.
from forge.chain import canonical, parse, sha256


def link(event, previous_hash):
    whole = parse(event)
    payload = {k: v for k, v in whole["payload"].items() if v is not None}
    record = {"event": {**whole, "payload": payload}, "previous_hash": previous_hash}
    record_hash = sha256(canonical(record))
    return canonical({**record, "record_hash": record_hash}), record_hash
