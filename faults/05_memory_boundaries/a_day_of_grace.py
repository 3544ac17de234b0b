from forge.instants import instant
from forge.memory import INSIDE, LIVE, at_most, boundary, record_of

DAY = 86_400_000_000


def query(self, scope, subject_id, *, now=None, limit=None):
    """The memories of one subject in one scope that ended less than a day ago, or have not."""
    values = {**boundary(scope, subject_id), "now": instant(now) - DAY, "limit": at_most(limit)}
    order = "ORDER BY created_at, memory_id LIMIT :limit"
    sql = f"SELECT * FROM memories WHERE {INSIDE} AND {LIVE} {order}"
    rows = self.database.read(sql, values)
    return [record_of(row) for row in rows]
