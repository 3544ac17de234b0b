# Inside one transaction, first asked, then deleted.
from forge.memory import name


def delete(self, memory_id):
    values = (name(memory_id, "memory_id"),)
    with self.database.writing() as connection:
        sql = "SELECT 1 FROM memories WHERE memory_id = ?"
        if not connection.execute(sql, values).fetchone():
            return False
        connection.execute("DELETE FROM memories WHERE memory_id = ?", values)
        self.database.rewrite("memories")
    return True
