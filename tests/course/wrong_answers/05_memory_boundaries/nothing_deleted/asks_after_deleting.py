# What is not there any more was deleted.
from forge.memory import name


def delete(self, memory_id):
    values = (name(memory_id, "memory_id"),)
    with self.database.writing() as connection:
        connection.execute("DELETE FROM memories WHERE memory_id = ?", values)
        self.database.rewrite("memories")
    return not self.database.read("SELECT 1 FROM memories WHERE memory_id = ?", values)
