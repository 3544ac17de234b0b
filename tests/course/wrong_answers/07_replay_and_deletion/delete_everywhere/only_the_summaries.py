# The summaries are what leaks, so they are what goes.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    invalidated = summary_cache.invalidate_for_memory(memory_id)
    return Deletion(invalidated > 0, invalidated, receipt=search.receipt())
