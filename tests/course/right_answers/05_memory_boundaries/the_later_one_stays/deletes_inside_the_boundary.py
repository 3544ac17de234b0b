# The row goes by its boundary and key, which name one.
from forge.memory import INSIDE


def _supersede(self, row):
    sql = f"SELECT * FROM memories WHERE {INSIDE} AND key = :key"
    rows = self.database.read(sql, row)
    if not rows:
        return
    [stored] = rows
    age = row["created_at"] - stored["created_at"]
    if not age > 0:
        raise ValueError("the memory is stale")
    self.connection.execute(f"DELETE FROM memories WHERE {INSIDE} AND key = :key", row)
    self.database.rewrite("memories")
