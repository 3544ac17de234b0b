"""Stage 7, another scene: what must be true of the office after the private note was forgotten."""

from __future__ import annotations

from forge.course.scenes import private_note
from forge.memory import MemoryScope, MemoryStore
from forge.replay import Deletion, DerivedSummaryCache

AGENDA = "The budget comes first, then the move to the second floor."
INVITATION = "Please come on Thursday: budget, then the move."


def refused(act, *values):
    try:
        act(*values)
    except ValueError:
        return True
    return False


def test_the_note_and_its_brief_are_gone_and_the_invitation_is_not(tmp_path):
    deletion = private_note(tmp_path)
    assert isinstance(deletion, Deletion), "the scene must return what delete_memory_everywhere returned"
    assert tuple(deletion) == (True, 1), "the note must be deleted, and one summary with it"
    found = sorted(path.name for path in tmp_path.glob("*.db"))
    assert found == ["memories.db", "summaries.db"], "the files must be memories.db and summaries.db"

    with MemoryStore(tmp_path / "memories.db", durable=False) as store:
        found = [memory.content for memory in store.query(MemoryScope.USER, "user-1")]
        assert found == [AGENDA], "the agenda must be kept in the store, and nothing else"
    with DerivedSummaryCache(tmp_path / "summaries.db", durable=False) as cache:
        assert cache.get("brief") is None, "the brief must be gone"
        assert cache.get("invitation") == INVITATION, "the invitation must be as it was"
        assert list(cache.derived_from("agenda")) == ["invitation"], "the invitation must name the agenda"
        assert refused(cache.put, "brief", ["private-note"], "Again.") is True, (
            "the note must be barred from coming back"
        )
