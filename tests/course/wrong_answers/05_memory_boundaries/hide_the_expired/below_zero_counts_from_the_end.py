# A slice takes any number, so the limit needs no look.
from forge.instants import instant
from forge.memory import INSIDE, boundary, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    order = "ORDER BY created_at, memory_id"
    rows = self.database.read(
        f"SELECT * FROM memories WHERE {INSIDE} {order}", boundary(scope, subject_id)
    )
    asked = instant(now)
    live = [row for row in rows if row["expires_at"] is None or asked < row["expires_at"]]
    return [record_of(row) for row in live][:limit]
