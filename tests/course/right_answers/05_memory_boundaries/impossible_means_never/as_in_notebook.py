# As the notebook's solved edition has it.
from forge.errors import MemoryRefused
from forge.instants import instant


def row_of(record):
    """The row that stores a memory, with its times as `instant` writes them."""
    begins, ends = instant(record.created_at), None
    if record.expires_at is not None:
        ends = instant(record.expires_at)
        if ends <= begins:
            raise MemoryRefused(
                "expires_at must be later than created_at",
                f"{record.memory_id} would end at {record.expires_at}.",
                "Give a later expires_at, or none.",
            )
    scope = str(record.scope)
    return {**dict(record), "scope": scope, "created_at": begins, "expires_at": ends}
