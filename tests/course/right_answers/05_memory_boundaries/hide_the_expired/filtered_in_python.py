# Everything of the subject is read, filtered, then cut.
from datetime import UTC, datetime

from forge.errors import InvalidValue
from forge.memory import INSIDE, at_most, boundary, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    now = datetime.now(UTC) if now is None else now
    if not isinstance(now, datetime) or now.utcoffset() is None:
        raise InvalidValue("a moment was refused", f"found {now!r}.")
    order = "ORDER BY created_at, memory_id"
    rows = self.database.read(
        f"SELECT * FROM memories WHERE {INSIDE} {order}", boundary(scope, subject_id)
    )
    live = []
    for memory in map(record_of, rows):
        if memory.expires_at is None or now < memory.expires_at:
            live.append(memory)
    return live if at_most(limit) == -1 else live[:limit]
