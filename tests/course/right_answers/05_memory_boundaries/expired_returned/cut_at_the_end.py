# Everything is read and filtered, and cut last.
from itertools import islice

from forge.instants import instant
from forge.memory import INSIDE, at_most, boundary, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    sql = f"SELECT * FROM memories WHERE {INSIDE} ORDER BY created_at, memory_id"
    rows = self.database.read(sql, boundary(scope, subject_id))
    asked, many = instant(now), at_most(limit)
    live = (record_of(row) for row in rows if row["expires_at"] is None or asked < row["expires_at"])
    return list(islice(live, None if many < 0 else many))
