# The good case first, the refusal below it.
from forge.errors import StaleMemory
from forge.memory import INSIDE


def _supersede(self, row):
    sql = f"SELECT * FROM memories WHERE {INSIDE} AND key = :key"
    for stored in self.database.read(sql, row):
        if stored["created_at"] < row["created_at"]:
            self.connection.execute("DELETE FROM memories WHERE memory_id = :memory_id", dict(stored))
            self.database.rewrite("memories")
        else:
            raise StaleMemory("the memory is stale", f"{stored['memory_id']} is as new.")
