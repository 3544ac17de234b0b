# A key that is taken is taken.
from forge.errors import StaleMemory
from forge.memory import INSIDE


def _supersede(self, row):
    sql = f"SELECT * FROM memories WHERE {INSIDE} AND key = :key"
    held = self.database.read(sql, row)
    if not held:
        return
    [older] = held
    raise StaleMemory("the memory is stale", older["memory_id"])
    self.database.rewrite("memories")
