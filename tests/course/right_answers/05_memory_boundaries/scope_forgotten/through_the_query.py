# What a query finds may be read by its id.
from forge.memory import name


def get(self, memory_id, scope, subject_id, *, now=None):
    name(memory_id, "memory_id")
    found = [each for each in self.query(scope, subject_id, now=now) if each.memory_id == memory_id]
    return found[0] if found else None
