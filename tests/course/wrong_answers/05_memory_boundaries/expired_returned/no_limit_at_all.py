# Without a limit nothing is lost.
from forge.instants import instant
from forge.memory import INSIDE, LIVE, at_most, boundary, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    values = {**boundary(scope, subject_id), "limit": at_most(limit)}
    values["now"] = instant(now)
    where = f"{INSIDE} AND {LIVE}"
    order = "ORDER BY created_at, memory_id"
    rows = self.database.read(f"SELECT * FROM memories WHERE {where} {order}", values)
    return [record_of(row) for row in rows]
