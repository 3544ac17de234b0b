# The greater id is the later one.
from forge.errors import StaleMemory
from forge.memory import INSIDE


def _supersede(self, row):
    sql = f"SELECT * FROM memories WHERE {INSIDE} AND key = :key"
    held = self.database.read(sql, row)
    if not held:
        return
    [older] = held
    if row["memory_id"] <= older["memory_id"]:
        raise StaleMemory("the memory is stale", "a later one is stored.")
    self.connection.execute("DELETE FROM memories WHERE memory_id = ?", (older["memory_id"],))
    self.database.rewrite("memories")
