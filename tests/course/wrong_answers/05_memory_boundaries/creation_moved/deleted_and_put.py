# A replacement is a deletion and a new memory.
def replace(self, record, *, now=None):
    stored = self.get(record.memory_id, record.scope, record.subject_id, now=now)
    if stored is None:
        return None
    self.delete(record.memory_id)
    self.put(record)
    return record
