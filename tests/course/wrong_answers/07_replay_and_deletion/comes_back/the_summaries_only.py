# The summaries came back, so the summaries are barred.
def invalidate_for_memory(self, memory_id):
    with self.database.writing():
        derived = list(self.derived_from(memory_id))
        self.bar("summary", self.tainted_by(memory_id))
        self.remove(derived)
    return len(derived)
