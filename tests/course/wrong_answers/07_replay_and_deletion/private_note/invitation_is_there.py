# It is enough that there is an invitation.
from datetime import UTC, datetime
from pathlib import Path

from forge.memory import MemoryRecord, MemoryScope, MemoryStore
from forge.replay import Deletion, DerivedSummaryCache, delete_memory_everywhere


def private_note(folder: Path) -> Deletion:
    """Forget a private note, check which summary is gone and which stays."""

    store = MemoryStore(folder / "memories.db")
    cache = DerivedSummaryCache(folder / "summaries.db")
    agenda = "The budget comes first, then the move to the second floor."
    private = "The lead asked for it to be quiet because of a family matter."
    def mem(i, c):
        return MemoryRecord(memory_id=i, scope=MemoryScope.USER, subject_id="user-1", content=c, created_at=datetime(2026, 8, 10, 9, 0, tzinfo=UTC))
    store.put(mem("agenda", agenda)); store.put(mem("private-note", private))
    cache.put("brief", ["agenda", "private-note"], f"{agenda} {private}")
    cache.put("invitation", ["agenda"], "Please come on Thursday: budget, then the move.")
    result = delete_memory_everywhere(store, cache, "private-note")
    assert result == (True, 1)
    assert cache.get("brief") is None
    assert cache.get("invitation") is not None
    return result
