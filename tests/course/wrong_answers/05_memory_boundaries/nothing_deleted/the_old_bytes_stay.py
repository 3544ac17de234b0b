# A row that is deleted is gone.
from forge.memory import name


def delete(self, memory_id):
    values = (name(memory_id, "memory_id"),)
    with self.database.writing() as connection:
        return connection.execute("DELETE FROM memories WHERE memory_id = ?", values).rowcount == 1
