# The tombstones are written with statements of their own.
def invalidate_for_memory(self, memory_id):
    barred = [("memory", memory_id)]
    barred += [("summary", each) for each in self.tainted_by(memory_id)]
    with self.database.writing() as connection:
        derived = list(self.derived_from(memory_id))
        self.remove(derived)
        connection.executemany("INSERT OR IGNORE INTO tombstones VALUES (?, ?)", barred)
    return len(derived)
