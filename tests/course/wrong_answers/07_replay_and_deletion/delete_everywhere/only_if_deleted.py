# A memory that is not stored can have no summaries.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    invalidated = 0
    deleted = memory_store.delete(memory_id)
    if deleted:
        invalidated = summary_cache.invalidate_for_memory(memory_id)
    return Deletion(deleted, invalidated, receipt=search.receipt())
