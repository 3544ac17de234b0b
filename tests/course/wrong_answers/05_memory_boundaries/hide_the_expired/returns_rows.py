# A row is as good as a memory.
from forge.instants import instant
from forge.memory import INSIDE, at_most, boundary


def query(self, scope, subject_id, *, now=None, limit=None):
    values = {**boundary(scope, subject_id), "limit": at_most(limit), "now": instant(now)}
    where = f"{INSIDE} AND (expires_at IS NULL OR :now < expires_at)"
    order = "ORDER BY created_at, memory_id LIMIT :limit"
    return self.database.read(f"SELECT * FROM memories WHERE {where} {order}", values)
