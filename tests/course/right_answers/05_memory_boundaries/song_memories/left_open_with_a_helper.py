# A helper for what they share; the store is left to the folder.
from datetime import datetime

from forge.memory import MemoryRecord, MemoryScope, MemoryStore


def song_memories(folder):
    def at(clock):
        return datetime.fromisoformat(f"2026-08-17T{clock}:00+00:00")

    def note(scope, subject, content, ends=None):
        return MemoryRecord(
            memory_id=subject,
            scope=scope,
            subject_id=subject,
            content=content,
            created_at=at("09:00"),
            expires_at=ends,
        )

    songs = MemoryStore(folder / "songs.db", durable=False)
    songs.put(note(MemoryScope.USER, "user-1", "prefers minor keys", at("09:05")))
    songs.put(note(MemoryScope.RUN, "run-1", "draft saved"))
    answers = tuple(
        songs.query(scope, subject, now=at("10:00"))
        for scope, subject in ((MemoryScope.USER, "user-1"), (MemoryScope.RUN, "run-1"))
    )
    found = [[each.content for each in answer] for answer in answers]
    if found != [[], ["draft saved"]]:
        raise AssertionError(found)
    return answers
