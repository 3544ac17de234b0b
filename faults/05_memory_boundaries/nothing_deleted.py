from forge.memory import name


def delete(self, memory_id):
    """Delete a memory, expired or not. Again is no error."""
    values = (name(memory_id, "memory_id"),)
    with self.database.writing() as connection:
        connection.execute("DELETE FROM memories WHERE memory_id = ?", values)
        self.database.rewrite("memories")
    return True
