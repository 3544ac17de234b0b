from forge.instants import instant


def row_of(record):
    """The row that stores a memory."""
    begins, ends = instant(record.created_at), None
    if record.expires_at is not None and instant(record.expires_at) > begins:
        ends = instant(record.expires_at)
    scope = str(record.scope)
    return {**dict(record), "scope": scope, "created_at": begins, "expires_at": ends}
