# What ends before it begins ends when it begins.
from forge.instants import instant


def row_of(record):
    begins = instant(record.created_at)
    ends = None if record.expires_at is None else instant(record.expires_at)
    if ends is not None:
        ends = max(ends, begins + 1)
    scope = str(record.scope)
    return {**dict(record), "scope": scope, "created_at": begins, "expires_at": ends}
