from forge.replay import DerivedSummaryCache


def invalidate_for_memory(self: DerivedSummaryCache, memory_id: str) -> int:
    """Bar the text of a memory, and to be safe empty the cache; how many held it."""
    with self.database.writing() as connection:
        derived = list(self.derived_from(memory_id))
        self.bar("summary", self.tainted_by(memory_id))
        self.bar("memory", [memory_id])
        connection.execute("DELETE FROM summaries")
        connection.execute("DELETE FROM sources")
    return len(derived)
