# The summaries are looked up and removed by hand.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    derived = list(summary_cache.derived_from(memory_id))
    with summary_cache.database.writing():
        summary_cache.remove(derived)
    deleted = memory_store.delete(memory_id)
    return Deletion(deleted, len(derived), receipt=search.receipt())
