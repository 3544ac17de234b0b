from forge.replay import DerivedSummaryCache


def invalidate_for_memory(self: DerivedSummaryCache, memory_id: str) -> int:
    """Bar the text of a memory from coming back; how many summaries hold it."""
    with self.database.writing():
        derived = list(self.derived_from(memory_id))
        self.bar("memory", [memory_id])
    return len(derived)
