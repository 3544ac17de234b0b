# The receipt is taken at the end and given a name of its own.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    invalidated = summary_cache.invalidate_for_memory(memory_id)
    deleted = memory_store.delete(memory_id)
    receipt = search.receipt()
    return Deletion(deleted, invalidated, receipt=receipt)
