# The answer is filtered once it is there.
from forge.instants import instant
from forge.memory import INSIDE, at_most, boundary, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    values = {**boundary(scope, subject_id), "limit": at_most(limit)}
    order = "ORDER BY created_at, memory_id LIMIT :limit"
    rows = self.database.read(f"SELECT * FROM memories WHERE {INSIDE} {order}", values)
    asked = instant(now)
    return [record_of(row) for row in rows if not row["expires_at"] or asked < row["expires_at"]]
