# What is no id names no memory, so there is nothing to say about it.
from forge.instants import instant
from forge.memory import INSIDE, LIVE, boundary, record_of


def get(self, memory_id, scope, subject_id, *, now=None):
    values = {**boundary(scope, subject_id), "now": instant(now), "memory_id": memory_id}
    sql = f"SELECT * FROM memories WHERE memory_id = :memory_id AND {INSIDE} AND {LIVE}"
    rows = self.database.read(sql, values)
    return record_of(rows[0]) if rows else None
