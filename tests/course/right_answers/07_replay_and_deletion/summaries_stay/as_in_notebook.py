# The two calls of the exercise, and the number that the cache gives.
from forge.memory import MemoryStore
from forge.replay import Deletion, DerivedSummaryCache
from forge.replay.deletion import Search


def delete_memory_everywhere(
    memory_store: MemoryStore, summary_cache: DerivedSummaryCache, memory_id: str
) -> Deletion:
    """Delete a memory and everything that may say what it said."""
    search = Search(memory_store, summary_cache, memory_id)
    invalidated = summary_cache.invalidate_for_memory(memory_id)
    deleted = memory_store.delete(memory_id)
    return Deletion(deleted, invalidated, receipt=search.receipt())
