# As the notebook's solved edition has it.
from forge.instants import instant
from forge.memory import INSIDE, LIVE, boundary, name, record_of


def get(self, memory_id, scope, subject_id, *, now=None):
    """The memory of that id, if it is live and belongs to the subject in the scope."""
    values = {**boundary(scope, subject_id), "now": instant(now)}
    values["memory_id"] = name(memory_id, "memory_id")
    sql = f"SELECT * FROM memories WHERE memory_id = :memory_id AND {INSIDE} AND {LIVE}"
    rows = self.database.read(sql, values)
    return record_of(rows[0]) if rows else None
