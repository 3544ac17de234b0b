# The count is the answer.
from forge.memory import name


def delete(self, memory_id):
    values = (name(memory_id, "memory_id"),)
    with self.database.writing() as connection:
        gone = connection.execute("DELETE FROM memories WHERE memory_id = ?", values).rowcount
        if gone:
            self.database.rewrite("memories")
    return gone == 1
