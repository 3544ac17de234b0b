# The live rows are a table of their own.
from forge.instants import instant
from forge.memory import INSIDE, LIVE, at_most, boundary, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    values = {**boundary(scope, subject_id), "limit": at_most(limit), "now": instant(now)}
    live = f"(SELECT * FROM memories WHERE {LIVE})"
    order = "ORDER BY created_at, memory_id LIMIT :limit"
    rows = self.database.read(f"SELECT * FROM {live} WHERE {INSIDE} {order}", values)
    return [record_of(row) for row in rows]
