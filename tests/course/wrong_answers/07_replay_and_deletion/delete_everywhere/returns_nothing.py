# The work is done, and there is nothing more to say.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    summary_cache.invalidate_for_memory(memory_id)
    memory_store.delete(memory_id)
    search.receipt()
