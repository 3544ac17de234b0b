from forge.replay import DerivedSummaryCache


def invalidate_for_memory(self: DerivedSummaryCache, memory_id: str) -> int:
    """Remove every summary that holds text of a memory; how many."""
    with self.database.writing():
        derived = list(self.derived_from(memory_id))
        self.remove(derived)
    return len(derived)
