# The row goes by its boundary and key, which name one.
from forge.memory import INSIDE


def _supersede(self, row):
    sql = f"SELECT * FROM memories WHERE {INSIDE} AND key = :key"
    held = self.database.read(sql, row)
    if not held:
        return
    [older] = held
    age = row["created_at"] - older["created_at"]
    if not age > 0:
        raise ValueError("the memory is stale")
    self.connection.execute(f"DELETE FROM memories WHERE {INSIDE} AND key = :key", row)
    self.database.rewrite("memories")
