# What is not later is not there.
from forge.memory import INSIDE


def _supersede(self, row):
    sql = f"SELECT * FROM memories WHERE {INSIDE} AND key = :key"
    rows = self.database.read(sql, row)
    if not rows:
        return
    [stored] = rows
    if row["created_at"] <= stored["created_at"]:
        raise KeyError("the memory is stale")
    self.connection.execute("DELETE FROM memories WHERE memory_id = ?", (stored["memory_id"],))
    self.database.rewrite("memories")
