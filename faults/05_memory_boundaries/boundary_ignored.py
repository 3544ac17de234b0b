from forge.instants import instant
from forge.memory import LIVE, at_most, boundary, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    """Every memory that is live, whoever it is about."""
    values = {**boundary(scope, subject_id), "now": instant(now), "limit": at_most(limit)}
    order = "ORDER BY created_at, memory_id LIMIT :limit"
    rows = self.database.read(f"SELECT * FROM memories WHERE {LIVE} {order}", values)
    return [record_of(row) for row in rows]
