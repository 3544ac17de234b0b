# A finally block makes sure that the summaries go, whatever happens to the memory.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    try:
        deleted = memory_store.delete(memory_id)
    finally:
        invalidated = summary_cache.invalidate_for_memory(memory_id)
    return Deletion(deleted, invalidated, receipt=search.receipt())
