# The memory is read, then asked where it belongs.
from forge.instants import instant
from forge.memory import LIVE, boundary, name, record_of


def get(self, memory_id, scope, subject_id, *, now=None):
    values = {"memory_id": name(memory_id, "memory_id"), "now": instant(now)}
    mine = boundary(scope, subject_id)
    for row in self.database.read(
        f"SELECT * FROM memories WHERE memory_id = :memory_id AND {LIVE}", values
    ):
        if (row["scope"], row["subject_id"]) == (mine["scope"], mine["subject_id"]):
            return record_of(row)
    return None
