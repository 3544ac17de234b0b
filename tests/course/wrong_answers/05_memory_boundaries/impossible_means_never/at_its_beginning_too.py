# A memory that ends when it begins has lived a moment.
from forge.errors import MemoryRefused
from forge.instants import instant


def row_of(record):
    begins = instant(record.created_at)
    ends = None if record.expires_at is None else instant(record.expires_at)
    if ends is not None and ends < begins:
        raise MemoryRefused("expires_at must be later than created_at")
    scope = str(record.scope)
    return {**dict(record), "scope": scope, "created_at": begins, "expires_at": ends}
