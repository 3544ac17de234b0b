# The one that lasts longer is the later one.
from forge.errors import StaleMemory
from forge.memory import INSIDE


def _supersede(self, row):
    sql = f"SELECT * FROM memories WHERE {INSIDE} AND key = :key"
    rows = self.database.read(sql, row)
    if not rows:
        return
    [stored] = rows
    if (row["expires_at"] or 0) <= (stored["expires_at"] or 0):
        raise StaleMemory("the memory is stale", "a later one is stored.")
    self.connection.execute("DELETE FROM memories WHERE memory_id = ?", (stored["memory_id"],))
    self.database.rewrite("memories")
