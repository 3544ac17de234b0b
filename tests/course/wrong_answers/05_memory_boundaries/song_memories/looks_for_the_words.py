# What does not say minor keys is not the preference.
from datetime import UTC, datetime, timedelta
from pathlib import Path

from forge.memory import MemoryRecord, MemoryScope, MemoryStore


def song_memories(folder: Path):
    nine = datetime(2026, 8, 17, 9, 0, tzinfo=UTC)
    ten = nine + timedelta(hours=1)
    preference = MemoryRecord(
        memory_id="preference",
        scope=MemoryScope.USER,
        subject_id="user-1",
        content="prefers minor keys",
        created_at=nine,
        expires_at=nine + timedelta(minutes=5),
    )
    draft = MemoryRecord(
        memory_id="draft",
        scope=MemoryScope.RUN,
        subject_id="run-1",
        content="draft saved",
        created_at=nine,
        expires_at=None,
    )
    with MemoryStore(folder / "songs.db") as songs:
        songs.put(preference)
        songs.put(draft)
        preferences = songs.query(MemoryScope.USER, "user-1", now=ten)
        drafts = songs.query(MemoryScope.RUN, "run-1", now=ten)
    assert "prefers minor keys" not in [each.content for each in preferences]
    assert [each.content for each in drafts] == ["draft saved"]
    return preferences, drafts
