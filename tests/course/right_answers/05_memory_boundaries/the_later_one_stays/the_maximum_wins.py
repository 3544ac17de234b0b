# The later of the two is looked for, and must be the new one.
from forge.errors import StaleMemory
from forge.memory import INSIDE


def _supersede(self, row):
    sql = f"SELECT * FROM memories WHERE {INSIDE} AND key = :key"
    rows = self.database.read(sql, row)
    if not rows:
        return
    [stored] = rows
    later = max((stored, row), key=lambda each: each["created_at"])
    if later is stored:
        raise StaleMemory("the memory is stale", f"{row['memory_id']} is not later.")
    self.connection.execute("DELETE FROM memories WHERE memory_id = ?", (stored["memory_id"],))
    self.database.rewrite("memories")
