# The row goes, and the table is written anew.
from forge.memory import MemoryStore


def delete(self: MemoryStore, memory_id: str) -> bool:
    """Delete a memory, expired or not; whether there was one."""
    with self.database.writing() as connection:
        deleted = connection.execute(
            "DELETE FROM memories WHERE memory_id = ?",
            (memory_id,),
        ).rowcount
        if deleted:
            self.database.rewrite("memories")
    return deleted == 1
