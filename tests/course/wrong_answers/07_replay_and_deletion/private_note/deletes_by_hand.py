# Store and cache are told one after the other, which is the same.
from datetime import UTC, datetime

from forge.memory import MemoryRecord, MemoryScope, MemoryStore
from forge.replay import DerivedSummaryCache, delete_memory_everywhere

AGENDA = "The budget comes first, then the move to the second floor."
INVITATION = "Please come on Thursday: budget, then the move."
SECRET = "I should like to leave the second floor to others."


def memory(memory_id, content):
    return MemoryRecord(
        memory_id=memory_id,
        scope=MemoryScope.USER,
        subject_id="user-1",
        content=content,
        created_at=datetime(2026, 9, 1, 9, 0, tzinfo=UTC),
    )


def filled(folder):
    store = MemoryStore(folder / "memories.db", durable=False)
    cache = DerivedSummaryCache(folder / "summaries.db", durable=False)
    store.put(memory("agenda", AGENDA))
    store.put(memory("private-note", SECRET))
    cache.put("brief", ["agenda", "private-note"], f"Budget first. {SECRET}")
    cache.put("invitation", ["agenda"], INVITATION)
    return store, cache


def private_note(folder):
    store, cache = filled(folder)
    with store, cache:
        result = store.delete("private-note"), cache.invalidate_for_memory("private-note")
        assert result == (True, 1)
        assert cache.get("brief") is None
        assert cache.get("invitation") == INVITATION
        return result
