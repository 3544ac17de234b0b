# A row keeps what it was given.
from forge.instants import instant


def row_of(record):
    begins = instant(record.created_at)
    ends = None if record.expires_at is None else instant(record.expires_at)
    scope = str(record.scope)
    return {**dict(record), "scope": scope, "created_at": begins, "expires_at": ends}
