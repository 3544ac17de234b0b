# The later of the two is looked for, and must be the new one.
from forge.errors import StaleMemory
from forge.memory import INSIDE


def _supersede(self, row):
    sql = f"SELECT * FROM memories WHERE {INSIDE} AND key = :key"
    held = self.database.read(sql, row)
    if not held:
        return
    [older] = held
    later = max((older, row), key=lambda each: each["created_at"])
    if later is older:
        raise StaleMemory("the memory is stale", f"{row['memory_id']} is not later.")
    self.connection.execute("DELETE FROM memories WHERE memory_id = ?", (older["memory_id"],))
    self.database.rewrite("memories")
