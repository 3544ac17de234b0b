from forge.chain import canonical, parse, sha256


def link(event: bytes, previous_hash: str) -> tuple[bytes, str]:
    """The line of a record, and its hash. What is empty is not worth the space."""
    whole = parse(event)
    record_hash = sha256(canonical({"event": whole, "previous_hash": previous_hash}))
    payload = {k: v for k, v in whole["payload"].items() if v is not None}
    stored = {**whole, "payload": payload}
    line = {"event": stored, "previous_hash": previous_hash, "record_hash": record_hash}
    return canonical(line), record_hash
