# A key that is taken is taken.
from forge.errors import StaleMemory
from forge.memory import INSIDE


def _supersede(self, row):
    sql = f"SELECT * FROM memories WHERE {INSIDE} AND key = :key"
    rows = self.database.read(sql, row)
    if not rows:
        return
    [stored] = rows
    raise StaleMemory("the memory is stale", stored["memory_id"])
    self.database.rewrite("memories")
