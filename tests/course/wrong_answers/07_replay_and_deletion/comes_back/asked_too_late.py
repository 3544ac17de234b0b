# First the summaries go, then everything that held the text is barred.
def invalidate_for_memory(self, memory_id):
    with self.database.writing():
        derived = list(self.derived_from(memory_id))
        self.remove(derived)
        self.bar("memory", [memory_id])
        self.bar("summary", self.tainted_by(memory_id))
    return len(derived)
