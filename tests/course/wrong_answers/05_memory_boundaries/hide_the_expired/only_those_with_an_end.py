# What has no end is not finished yet.
from forge.instants import instant
from forge.memory import INSIDE, at_most, boundary, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    values = {**boundary(scope, subject_id), "limit": at_most(limit)}
    values["now"] = instant(now)
    where = f"{INSIDE} AND expires_at IS NOT NULL AND :now < expires_at"
    order = "ORDER BY created_at, memory_id LIMIT :limit"
    rows = self.database.read(f"SELECT * FROM memories WHERE {where} {order}", values)
    return [record_of(row) for row in rows]
