# Deleting nothing is a mistake of the caller.
from forge.memory import name


def delete(self, memory_id):
    values = (name(memory_id, "memory_id"),)
    with self.database.writing() as connection:
        gone = connection.execute("DELETE FROM memories WHERE memory_id = ?", values).rowcount
        if not gone:
            raise KeyError(memory_id)
        self.database.rewrite("memories")
    return True
