# ISO text sorts like time, in Python as in SQL.
from datetime import UTC, datetime

from forge.memory import INSIDE, at_most, boundary, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    asked = (now or datetime.now(UTC)).isoformat()
    order = "ORDER BY created_at, memory_id"
    sql = f"SELECT * FROM memories WHERE {INSIDE} {order}"
    found = [record_of(row) for row in self.database.read(sql, boundary(scope, subject_id))]
    live = [each for each in found if not each.expires_at or each.expires_at.isoformat() > asked]
    return live if at_most(limit) < 0 else live[:limit]
