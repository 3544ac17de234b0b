# A few more rows are read, to be safe.
from forge.instants import instant
from forge.memory import INSIDE, at_most, boundary, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    many = at_most(limit)
    values = {**boundary(scope, subject_id), "limit": many if many < 0 else many + 3}
    order = "ORDER BY created_at, memory_id LIMIT :limit"
    rows = self.database.read(f"SELECT * FROM memories WHERE {INSIDE} {order}", values)
    asked = instant(now)
    live = [row for row in rows if row["expires_at"] is None or asked < row["expires_at"]]
    return [record_of(row) for row in live][: None if many < 0 else many]
