from forge.instants import instant
from forge.memory import INSIDE, at_most, boundary, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    """The live memories of one subject in one scope, at most the first `limit`."""
    values = {**boundary(scope, subject_id), "limit": at_most(limit)}
    values["now"] = instant(now)
    where = INSIDE
    order = "ORDER BY created_at, memory_id LIMIT :limit"
    rows = self.database.read(f"SELECT * FROM memories WHERE {where} {order}", values)
    return [record_of(row) for row in rows]
