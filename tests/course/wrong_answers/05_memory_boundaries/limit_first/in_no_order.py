# Rows come in the order in which they were put.
from forge.instants import instant
from forge.memory import INSIDE, LIVE, at_most, boundary, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    values = {**boundary(scope, subject_id), "now": instant(now), "limit": at_most(limit)}
    rows = self.database.read(f"SELECT * FROM memories WHERE {INSIDE} AND {LIVE} LIMIT :limit", values)
    return [record_of(row) for row in rows]
