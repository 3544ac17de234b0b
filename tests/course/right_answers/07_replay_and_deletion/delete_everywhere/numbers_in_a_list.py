# Both answers are collected in the order of the work, and turned around at the end.
from forge.replay import Deletion
from forge.replay.deletion import Search


def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    search = Search(memory_store, summary_cache, memory_id)
    answers = []
    for delete in (summary_cache.invalidate_for_memory, memory_store.delete):
        answers.append(delete(memory_id))
    return Deletion(*reversed(answers), receipt=search.receipt())
