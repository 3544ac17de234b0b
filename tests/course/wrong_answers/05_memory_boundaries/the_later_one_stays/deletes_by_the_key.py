# A key names one memory.
from forge.errors import StaleMemory
from forge.memory import INSIDE


def _supersede(self, row):
    sql = f"SELECT * FROM memories WHERE {INSIDE} AND key = :key"
    rows = self.database.read(sql, row)
    if not rows:
        return
    [stored] = rows
    if row["created_at"] <= stored["created_at"]:
        raise StaleMemory("the memory is stale", "a later one is stored.")
    self.connection.execute("DELETE FROM memories WHERE key = ?", (stored["key"],))
    self.database.rewrite("memories")
