# Tombstones for the memory and for everything that ever held its text.
from forge.replay import DerivedSummaryCache


def invalidate_for_memory(self: DerivedSummaryCache, memory_id: str) -> int:
    """Remove every summary that holds text of a memory, and bar its text."""
    with self.database.writing():
        tainted = self.tainted_by(memory_id)
        derived = list(self.derived_from(memory_id))
        self.bar("memory", [memory_id])
        self.bar("summary", tainted)
        self.remove(derived)
    return len(derived)
