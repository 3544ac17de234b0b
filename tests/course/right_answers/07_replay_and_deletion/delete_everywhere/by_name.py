# The same two calls, with everything given by its name.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    gone_with_it = summary_cache.invalidate_for_memory(memory_id)
    was_stored = memory_store.delete(memory_id)
    receipt = search.receipt()
    return Deletion(deleted=was_stored, invalidated=gone_with_it, receipt=receipt)
