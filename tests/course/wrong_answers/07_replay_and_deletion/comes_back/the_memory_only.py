# The memory is what was deleted, so the memory is barred.
def invalidate_for_memory(self, memory_id):
    with self.database.writing():
        derived = list(self.derived_from(memory_id))
        self.bar("memory", [memory_id])
        self.remove(derived)
    return len(derived)
