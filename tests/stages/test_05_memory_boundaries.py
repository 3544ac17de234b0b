"""Stage 5: what a memory store promises. Every test is a sentence about it, and so is every failure."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone

from forge.memory import MemoryRecord, MemoryScope, MemoryStore

NINE = datetime(2026, 8, 17, 9, 0, tzinfo=UTC)
TEN = datetime(2026, 8, 17, 10, 0, tzinfo=UTC)
ELEVEN = datetime(2026, 8, 17, 11, 0, tzinfo=UTC)
RUN, SESSION, USER = MemoryScope.RUN, MemoryScope.SESSION, MemoryScope.USER


def memory(memory_id, scope=USER, subject_id="user-1", *, content="prefers tea", created_at=NINE, **more):
    return MemoryRecord(
        memory_id=memory_id,
        scope=scope,
        subject_id=subject_id,
        content=content,
        created_at=created_at,
        **more,
    )


@contextmanager
def store_of(tmp_path, *memories):
    with MemoryStore(tmp_path / "memories.db", durable=False) as store:
        for each in memories:
            store.put(each)
        yield store


def ids(memories):
    return [each.memory_id for each in memories]


def refusal(act, *values):
    """The refusal of the values, else what was done instead."""
    try:
        return f"accepted: {act(*values)!r}"
    except ValueError as error:
        return f"ValueError: {error}"


def test_memory_is_queried_only_inside_its_scope_and_subject(tmp_path):
    of_run = memory("m1", RUN, "run-1", content="branch: search", source="event e3", key="branch")
    of_session, of_user = memory("m2", SESSION, "run-1"), memory("m3", USER, "run-1")
    of_another = memory("m4", RUN, "run-2")
    with store_of(tmp_path, of_run, of_session, of_user, of_another) as store:
        found = ids(store.query(RUN, "run-1", now=TEN))
        assert found == ["m1"], "a query must find what was put for its subject in its scope"
        assert store.query(RUN, "run-1", now=TEN) == [of_run], "a query must give the memory as it was put"
        found = ids(store.query(SESSION, "run-1", now=TEN))
        assert found == ["m2"], "a query must stay inside its scope"
        found = ids(store.query(RUN, "run-2", now=TEN))
        assert found == ["m4"], "a query must stay inside its subject"
        found = ids(store.query(USER, "run-2", now=TEN))
        assert found == [], "a subject without memories in the scope must have none"


def test_expired_memory_is_hidden_and_can_be_purged(tmp_path):
    expired = memory("expired", expires_at=NINE + timedelta(minutes=5))
    valid, lasting = memory("valid", expires_at=ELEVEN), memory("lasting")
    with store_of(tmp_path, expired, valid, lasting) as store:
        found = ids(store.query(USER, "user-1", now=TEN))
        assert found == ["lasting", "valid"], "an expired memory must be hidden, and no other"
        assert store.purge_expired(now=TEN) == 1, "purging must count the one expired memory"
        assert store.purge_expired(now=TEN) == 0, "purging again must find nothing"
        found = ids(store.query(USER, "user-1", now=NINE))
        assert found == ["lasting", "valid"], "a purged memory must be gone at every time"


def test_deletion_is_explicit_and_idempotent(tmp_path):
    with store_of(tmp_path, memory("m1"), memory("m2")) as store:
        assert store.delete("m1") is True, "the first deletion must say that it deleted"
        assert store.delete("m1") is False, "the second deletion must say that there was nothing"
        assert ids(store.query(USER, "user-1", now=TEN)) == ["m2"], "only the deleted memory must be gone"
    with store_of(tmp_path) as store:
        found = ids(store.query(USER, "user-1", now=TEN))
        assert found == ["m2"], "a deletion must be kept when the store is opened again"


def test_expiry_compares_moments_and_not_their_text(tmp_path):
    new_york = timezone(timedelta(hours=-5))
    ends = datetime(2026, 12, 31, 23, 59, 59, tzinfo=new_york)  # in UTC it is already the next year
    before = datetime(2027, 1, 1, 2, 0, tzinfo=UTC)
    with store_of(tmp_path, memory("m1", expires_at=ends)) as store:
        found = ids(store.query(USER, "user-1", now=before))
        assert found == ["m1"], "a memory must live until its moment, in whatever zone that is written"
        assert store.purge_expired(now=before) == 0, "purging must compare moments too"
        after = datetime(2027, 1, 1, 6, 30, tzinfo=timezone(timedelta(hours=1)))
        found = ids(store.query(USER, "user-1", now=after))
        assert found == [], "after its moment a memory must be hidden, in whatever zone now is written"


def test_at_the_very_moment_of_its_expiry_a_memory_is_gone(tmp_path):
    tick = timedelta(microseconds=1)
    with store_of(tmp_path, memory("m1", expires_at=TEN)) as store:
        found = ids(store.query(USER, "user-1", now=TEN - tick))
        assert found == ["m1"], "a microsecond before its expiry a memory must be live"
        assert store.purge_expired(now=TEN - tick) == 0, "a live memory must not be purged"
        assert ids(store.query(USER, "user-1", now=TEN)) == [], "at its expiry a memory must be hidden"
        assert store.purge_expired(now=TEN) == 1, "what is hidden at a moment must be purged at that moment"


def test_an_expired_memory_is_hidden_before_anyone_sweeps(tmp_path):
    with store_of(tmp_path, memory("m1", expires_at=TEN)) as store:
        assert store.query(USER, "user-1", now=ELEVEN) == [], "a query must not wait for a sweep"
        assert store.get("m1", USER, "user-1", now=ELEVEN) is None, "an id must not reach what has expired"
        renewed = store.replace(memory("m1", content="prefers coffee"), now=ELEVEN)
        assert renewed is None, "what has expired must not be replaced"


def test_an_expiry_that_is_no_moment_is_refused(tmp_path):
    for nonsense in ("2026-13-01", "never", 0, datetime(2026, 8, 17, 12, 0)):
        found = refusal(lambda value: memory("m1", expires_at=value), nonsense)
        assert found.startswith("ValueError: MemoryRecord.expires_at was refused"), (
            f"expires_at={nonsense!r} must be refused, not read as never"
        )
    with store_of(tmp_path) as store:
        for ends in (NINE, NINE - timedelta(hours=1)):
            found = refusal(store.put, memory("m1", expires_at=ends))
            assert found.startswith("ValueError: expires_at must be later than created_at"), (
                "a memory that ends before it begins must be refused"
            )
        assert store.query(USER, "user-1", now=NINE) == [], "what was refused must not be stored"


def test_a_replacement_keeps_the_moment_of_creation(tmp_path):
    with store_of(tmp_path, memory("m1", key="drink")) as store:
        store.replace(memory("m1", content="prefers coffee", created_at=TEN, expires_at=ELEVEN), now=TEN)
        [kept] = store.query(USER, "user-1", now=TEN)
        assert kept.content == "prefers coffee", "a replacement must change the content"
        assert kept.expires_at == ELEVEN, "a replacement must change the expiry"
        assert kept.created_at == NINE, "a replacement must not change the moment of creation"


def test_a_limit_counts_live_memories_only(tmp_path):
    gone = [memory(f"a{number}", expires_at=TEN) for number in range(5)]
    live = [memory(f"b{number}") for number in range(4)]
    with store_of(tmp_path, *gone, *live) as store:
        found = ids(store.query(USER, "user-1", now=ELEVEN, limit=3))
        assert found == ["b0", "b1", "b2"], "a limit of 3 must give three live memories"
        found = ids(store.query(USER, "user-1", now=ELEVEN, limit=9))
        assert found == ["b0", "b1", "b2", "b3"], "a limit above their number must give all live memories"


def test_every_way_to_read_stays_inside_scope_and_subject(tmp_path):
    mine = memory("m1")
    with store_of(tmp_path, mine) as store:
        assert store.get("m1", USER, "user-1", now=TEN) == mine, "an id must be found inside its boundary"
        for scope, subject in ((USER, "user-2"), (RUN, "user-1"), (SESSION, "user-2")):
            assert store.query(scope, subject, now=TEN) == [], (
                f"a query of {scope} {subject} must find nothing"
            )
            found = store.get("m1", scope, subject, now=TEN)
            assert found is None, f"an id must not be found from {scope} {subject}"
            found = store.replace(memory("m1", scope, subject, content="prefers coffee"), now=TEN)
            assert found is None, f"a memory must not be replaced from {scope} {subject}"
        assert store.query(USER, "user-1", now=TEN) == [mine], "the memory must be as it was"


def test_deleting_the_id_of_another_store_deletes_nothing(tmp_path):
    with (
        store_of(tmp_path / "mine", memory("m1")) as mine,
        store_of(tmp_path / "other", memory("m2")) as other,
    ):
        assert mine.delete("m2") is False, "an id of another store must be no success"
        assert mine.purge_expired(now=TEN) == 0, "a purge without anything to purge must count 0"
        left = ids(mine.query(USER, "user-1", now=TEN)) + ids(other.query(USER, "user-1", now=TEN))
        assert left == ["m1", "m2"], "both stores must be as they were"


def test_the_later_of_two_answers_to_one_question_is_kept(tmp_path):
    tea, coffee = (
        memory("m1", key="drink"),
        memory("m2", content="prefers coffee", created_at=TEN, key="drink"),
    )
    with store_of(
        tmp_path, tea, memory("m3", key="tone"), memory("m4", subject_id="user-2", key="drink")
    ) as store:
        store.put(coffee)
        found = ids(store.query(USER, "user-1", now=ELEVEN))
        assert found == ["m3", "m2"], "a later memory must take the place of the earlier one with its key"
        for late in (TEN, NINE):
            found = refusal(store.put, memory("m5", created_at=late, key="drink"))
            assert found.startswith("ValueError: the memory is stale"), (
                "a memory that is not later must be refused"
            )
        assert ids(store.query(USER, "user-2", now=ELEVEN)) == ["m4"], "a key must count for its subject only"


def test_an_id_names_one_memory(tmp_path):
    with store_of(tmp_path, memory("m1")) as store:
        for again in (memory("m1", content="prefers coffee"), memory("m1", RUN, "run-1")):
            found = refusal(store.put, again)
            assert found.startswith("ValueError: memory_id must be unique"), (
                "an id that is taken must be refused"
            )
        found = [each.content for each in store.query(USER, "user-1", now=TEN)]
        assert found == ["prefers tea"], "a refused memory must not replace the stored one"
