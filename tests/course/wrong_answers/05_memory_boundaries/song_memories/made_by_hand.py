# The answers can be written down without a store.
from datetime import UTC, datetime
from pathlib import Path

from forge.memory import MemoryRecord, MemoryScope


def song_memories(folder: Path):
    draft = MemoryRecord(
        memory_id="draft",
        scope=MemoryScope.RUN,
        subject_id="run-1",
        content="draft saved",
        created_at=datetime(2026, 8, 17, 9, 0, tzinfo=UTC),
    )
    preferences, drafts = [], [draft]
    assert preferences == []
    assert [each.content for each in drafts] == ["draft saved"]
    return preferences, drafts
