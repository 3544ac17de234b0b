# Whoever deletes what is not there has made a mistake and should be told.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    invalidated = summary_cache.invalidate_for_memory(memory_id)
    deleted = memory_store.delete(memory_id)
    if not deleted:
        raise KeyError(memory_id)
    return Deletion(deleted, invalidated, receipt=search.receipt())
