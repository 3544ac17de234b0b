from forge.memory import MemoryStore
from forge.replay import Deletion, DerivedSummaryCache
from forge.replay.deletion import Search


def delete_memory_everywhere(
    memory_store: MemoryStore, summary_cache: DerivedSummaryCache, memory_id: str
) -> Deletion:
    """Delete a memory and every summary derived from it."""
    search = Search(memory_store, summary_cache, memory_id)
    summary_cache.invalidate_for_memory(memory_id)
    deleted = memory_store.delete(memory_id)
    invalidated = len(summary_cache.derived_from(memory_id))
    return Deletion(deleted, invalidated, receipt=search.receipt())
