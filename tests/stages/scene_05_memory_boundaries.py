"""Stage 5, another scene: what must be true of the preference that ended and the draft that stayed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from forge.course.scenes import song_memories
from forge.memory import MemoryScope, MemoryStore

NINE = datetime(2026, 8, 17, 9, 0, tzinfo=UTC)
ENDS = NINE + timedelta(minutes=5)
YEARS_LATER = datetime(2126, 8, 17, 9, 0, tzinfo=UTC)
USER, RUN = MemoryScope.USER, MemoryScope.RUN


def contents(memories):
    return [each.content for each in memories]


def test_the_preference_has_ended_and_the_draft_is_found(tmp_path):
    found = song_memories(tmp_path)
    shape = len(found) if isinstance(found, tuple) else type(found).__name__
    assert shape == 2, "the scene must return the two answers of the store, preferences and drafts"
    preferences, drafts = found
    assert contents(preferences) == [], "at ten the preference must have ended"
    assert contents(drafts) == ["draft saved"], "at ten the draft must be found"
    assert (drafts[0].scope, drafts[0].subject_id) == (RUN, "run-1"), "the draft must be a memory of run-1"
    assert drafts[0].created_at == NINE, "the draft must be from nine"
    assert (tmp_path / "songs.db").is_file(), "the store must be songs.db in the folder"
    with MemoryStore(tmp_path / "songs.db", durable=False) as store:
        at_nine = store.query(USER, "user-1", now=NINE)
        assert contents(at_nine) == ["prefers minor keys"], "at nine the preference must be found"
        assert at_nine[0].created_at == NINE, "the preference must be from nine"
        found = contents(store.query(USER, "user-1", now=ENDS - timedelta(seconds=1)))
        assert found == ["prefers minor keys"], "a second before 09:05 the preference must be found"
        assert contents(store.query(USER, "user-1", now=ENDS)) == [], (
            "at 09:05 the preference must have ended"
        )
        found = contents(store.query(RUN, "run-1", now=YEARS_LATER))
        assert found == ["draft saved"], "the draft must have no end"
