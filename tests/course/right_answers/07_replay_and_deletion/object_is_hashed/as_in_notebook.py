# The beginning of the line is what is hashed.
from forge.chain import sha256


def link(event: bytes, previous_hash: str) -> tuple[bytes, str]:
    """The line of a record, without its newline, and its hash."""
    body = b'{"event":%b,"previous_hash":"%b"' % (event, previous_hash.encode())
    record_hash = sha256(body + b"}")
    return b'%b,"record_hash":"%b"}' % (body, record_hash.encode()), record_hash
