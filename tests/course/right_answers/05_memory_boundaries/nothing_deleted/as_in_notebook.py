# As the notebook's solved edition has it.
from forge.memory import name


def delete(self, memory_id):
    """Delete a memory, expired or not; whether there was one. Again is no error."""
    values = (name(memory_id, "memory_id"),)
    with self.database.writing() as connection:
        cursor = connection.execute("DELETE FROM memories WHERE memory_id = ?", values)
        if cursor.rowcount:
            self.database.rewrite("memories")
    return cursor.rowcount == 1
