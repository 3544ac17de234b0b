# Whether there is one is the answer.
from forge.memory import name


def delete(self, memory_id):
    values = (name(memory_id, "memory_id"),)
    return bool(self.database.read("SELECT 1 FROM memories WHERE memory_id = ?", values))
