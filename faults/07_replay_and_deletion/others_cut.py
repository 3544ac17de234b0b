from forge.replay import DerivedSummaryCache


def invalidate_for_memory(self: DerivedSummaryCache, memory_id: str) -> int:
    """Remove every summary that holds text of a memory, and cut the others; how many."""
    with self.database.writing() as connection:
        derived = list(self.derived_from(memory_id))
        self.bar("summary", self.tainted_by(memory_id))
        self.bar("memory", [memory_id])
        self.remove(derived)
        connection.execute("UPDATE summaries SET content = substr(content, 1, 12)")
    return len(derived)
