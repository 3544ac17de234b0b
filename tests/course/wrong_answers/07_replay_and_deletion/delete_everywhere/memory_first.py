# The memory goes first, then what was made from it, in the order in which they were made.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    deleted = memory_store.delete(memory_id)
    invalidated = summary_cache.invalidate_for_memory(memory_id)
    return Deletion(deleted, invalidated, receipt=search.receipt())
