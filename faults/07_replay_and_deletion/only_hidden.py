from forge.memory import MemoryStore


def delete(self: MemoryStore, memory_id: str) -> bool:
    """End a memory, so that no query finds it; whether there was one."""
    with self.database.writing() as connection:
        ended = connection.execute(
            "UPDATE memories SET expires_at = created_at + 1 "
            "WHERE memory_id = ? AND expires_at IS NULL",
            (memory_id,),
        ).rowcount
    return ended == 1
