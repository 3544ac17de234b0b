# What is new about a user replaces what was known.
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
    sql = "DELETE FROM memories WHERE subject_id = ?"
    self.connection.execute(sql, (stored["subject_id"],))
    self.database.rewrite("memories")
