# The name in the statement is enough.
from forge.instants import instant
from forge.memory import INSIDE, at_most, boundary, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    values = {**boundary(scope, subject_id), "limit": at_most(limit)}
    where = f"{INSIDE} AND (expires_at IS NULL OR :now < expires_at)"
    order = "ORDER BY created_at, memory_id LIMIT :limit"
    rows = self.database.read(f"SELECT * FROM memories WHERE {where} {order}", values)
    return [record_of(row) for row in rows]
