# After the deletion the memory is not there, so it was deleted.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    invalidated = summary_cache.invalidate_for_memory(memory_id)
    memory_store.delete(memory_id)
    return Deletion(True, invalidated, receipt=search.receipt())
