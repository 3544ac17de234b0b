from forge.instants import instant
from forge.memory import LIVE, name, record_of


def get(self, memory_id, scope, subject_id, *, now=None):
    """The memory of that id, if it is live."""
    values = {"memory_id": name(memory_id, "memory_id"), "now": instant(now)}
    sql = f"SELECT * FROM memories WHERE memory_id = :memory_id AND {LIVE}"
    rows = self.database.read(sql, values)
    return record_of(rows[0]) if rows else None
