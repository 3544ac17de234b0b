# Invalidating again after the deletion catches what came in between, and gives the number.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    summary_cache.invalidate_for_memory(memory_id)
    deleted = memory_store.delete(memory_id)
    invalidated = summary_cache.invalidate_for_memory(memory_id)
    return Deletion(deleted, invalidated, receipt=search.receipt())
