"""Stage 5: what a memory store promises. Every test is a sentence about it, and so is every failure."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone

from forge.memory import MemoryRecord, MemoryScope, MemoryStore

NINE = datetime(2026, 8, 17, 9, 0, tzinfo=UTC)
TEN = datetime(2026, 8, 17, 10, 0, tzinfo=UTC)
ELEVEN = datetime(2026, 8, 17, 11, 0, tzinfo=UTC)
NOON = datetime(2026, 8, 17, 12, 0, tzinfo=UTC)
NEW_YORK = timezone(timedelta(hours=-5))
TOKYO = timezone(timedelta(hours=9))
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


def text_of(memory):
    """What a memory says, or None when there is none."""
    return None if memory is None else memory.content


def refusal(words, act, *values):
    """`ValueError: … words …` if that is how `act` refuses the values, else what it did instead."""
    try:
        accepted = act(*values)
    except NotImplementedError:
        raise
    except Exception as error:
        fits = isinstance(error, ValueError) and words in str(error)
        return f"ValueError: … {words} …" if fits else f"{type(error).__name__}: {error}"
    return "accepted" if accepted is None else f"accepted: {accepted!r}"


def test_memory_is_queried_only_inside_its_scope_and_subject(tmp_path):
    of_run = memory("m1", RUN, "run-1", content="branch: search", source="event e3", key="branch")
    of_session, of_user = memory("m2", SESSION, "run-1"), memory("m3", USER, "run-1")
    of_another = memory("m4", RUN, "run-2")
    with store_of(tmp_path, of_run, of_session, of_user, of_another) as store:
        found = ids(store.query(RUN, "run-1", now=TEN))
        assert found == ["m1"], "a query must find what is of its scope and subject, and nothing else"
        assert store.query(RUN, "run-1", now=TEN) == [of_run], "a query must give the memory as it was put"
        found = ids(store.query(SESSION, "run-1", now=TEN))
        assert found == ["m2"], "a query must stay inside its scope"
        found = ids(store.query(RUN, "run-2", now=TEN))
        assert found == ["m4"], "a query must stay inside its subject"
        found = ids(store.query(USER, "run-2", now=TEN))
        assert found == [], "a subject without memories in the scope must have none"


def test_expired_memory_is_hidden_and_can_be_purged(tmp_path):
    expired, valid = memory("expired", expires_at=TEN - timedelta(minutes=5)), memory("valid")
    with store_of(tmp_path, expired, valid) as store:
        found = ids(store.query(USER, "user-1", now=TEN))
        assert found == ["valid"], (
            "of two memories, an expired one and one without an end, only the second must be found"
        )
        assert store.purge_expired(now=TEN) == 1, "purging must count the one expired memory"
        assert store.purge_expired(now=TEN) == 0, "purging again must find nothing"
        found = ids(store.query(USER, "user-1", now=NINE))
        assert found == ["valid"], "a purged memory must be gone at every time"


def test_deleting_the_id_of_another_store_deletes_nothing(tmp_path):
    with (
        store_of(tmp_path / "mine", memory("m1")) as mine,
        store_of(tmp_path / "other", memory("m2")) as other,
    ):
        assert mine.delete("m2") is False, "an id of another store must be no success"
        left = ids(mine.query(USER, "user-1", now=TEN)) + ids(other.query(USER, "user-1", now=TEN))
        assert left == ["m1", "m2"], "both stores must be as they were"


def test_deletion_is_explicit_and_idempotent(tmp_path):
    with store_of(tmp_path, memory("m1"), memory("m2")) as store:
        assert store.delete("m1") is True, "the first deletion must say that it deleted"
        assert store.delete("m1") is False, "the second deletion must say that there was nothing"
        assert ids(store.query(USER, "user-1", now=TEN)) == ["m2"], "only the deleted memory must be gone"
    with store_of(tmp_path) as store:
        found = ids(store.query(USER, "user-1", now=TEN))
        assert found == ["m2"], "a deletion must be kept when the store is opened again"


def test_a_memory_is_live_until_it_expires(tmp_path):
    soon, later, never = memory("m1", expires_at=TEN), memory("m2", expires_at=ELEVEN), memory("m3")
    of_run = memory("m4", RUN, "run-1", expires_at=TEN)
    with store_of(tmp_path, soon, later, never, of_run) as store:
        for now, live in ((NINE, ["m1", "m2", "m3"]), (TEN, ["m2", "m3"]), (ELEVEN, ["m3"])):
            found = ids(store.query(USER, "user-1", now=now))
            assert found == live, f"at {now:%H:%M} those must be found that have not expired, and no other"
        assert store.purge_expired(now=TEN) == 2, "a purge must take all that has expired, in every scope"
        found = ids(store.query(USER, "user-1", now=NINE))
        assert found == ["m2", "m3"], "a purge must leave what expires later or never"


def test_expiry_compares_moments_and_not_their_text(tmp_path):
    # Midnight in New York less a second; in UTC it is 04:59:59 of the next year.
    ends = datetime(2026, 12, 31, 23, 59, 59, tzinfo=NEW_YORK)
    two = datetime(2027, 1, 1, 2, 0, tzinfo=UTC)
    half_past_five = datetime(2027, 1, 1, 5, 30, tzinfo=UTC)
    with store_of(tmp_path, memory("m1", expires_at=ends)) as store:
        for zone in (UTC, NEW_YORK, TOKYO):
            now = two.astimezone(zone)
            found = ids(store.query(USER, "user-1", now=now))
            assert found == ["m1"], f"a memory that ends at {ends} must be found at {now}"
            assert store.purge_expired(now=now) == 0, f"a memory that ends at {ends} must be kept at {now}"
        for zone in (UTC, NEW_YORK, TOKYO):
            now = half_past_five.astimezone(zone)
            found = ids(store.query(USER, "user-1", now=now))
            assert found == [], f"a memory that ends at {ends} must be hidden at {now}"


def test_at_the_very_moment_of_its_expiry_a_memory_is_gone(tmp_path):
    within_a_second, far_away = TEN + timedelta(seconds=0.5), datetime(9000, 1, 1, tzinfo=UTC)
    for number, ends in enumerate((TEN, within_a_second, far_away)):
        before = ends - timedelta(microseconds=1)
        with store_of(tmp_path / f"{number}", memory("m1", expires_at=ends)) as store:
            found = ids(store.query(USER, "user-1", now=before))
            assert found == ["m1"], "a microsecond before its expiry a memory must be live"
            found = text_of(store.get("m1", USER, "user-1", now=before))
            assert found == "prefers tea", "a microsecond before, an id must find it too"
            assert store.purge_expired(now=before) == 0, "a live memory must not be purged"
            found = ids(store.query(USER, "user-1", now=ends))
            assert found == [], "at its expiry a memory must be hidden"
            found = text_of(store.get("m1", USER, "user-1", now=ends))
            assert found is None, "at its expiry an id must not find it either"
            assert store.purge_expired(now=ends) == 1, "what is hidden at a moment must be purged then"


def test_an_expired_memory_is_hidden_before_anyone_sweeps(tmp_path):
    with store_of(tmp_path, memory("m1", expires_at=TEN)) as store:
        found = ids(store.query(USER, "user-1", now=ELEVEN))
        assert found == [], "a query must not wait for a sweep"
        found = text_of(store.get("m1", USER, "user-1", now=ELEVEN))
        assert found is None, "an id must not reach what has expired"
        found = text_of(store.replace(memory("m1", content="prefers coffee"), now=ELEVEN))
        assert found is None, "what has expired must not be replaced"


def test_without_a_moment_the_question_is_about_this_one(tmp_path):
    past, future = datetime(2001, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
    over = memory("m1", created_at=past, expires_at=past + timedelta(days=1))
    live = memory("m2", created_at=past, expires_at=future)
    with store_of(tmp_path, over, live) as store:
        found = ids(store.query(USER, "user-1"))
        assert found == ["m2"], "a query without a moment must ask about this moment"
        assert store.purge_expired() == 1, "a purge without a moment must go by this moment"
        assert ids(store.query(USER, "user-1")) == ["m2"], "a live memory must survive a purge"


def test_a_time_that_is_no_moment_is_refused(tmp_path):
    naive = datetime(2026, 8, 17, 12, 0)
    for nonsense in ("2026-13-01", "never", 0, naive):
        found = refusal("expires_at", lambda ends: memory("m1", expires_at=ends), nonsense)
        assert found == "ValueError: … expires_at …", f"{nonsense!r} must be refused, not read as never"
    with store_of(tmp_path, memory("m1", expires_at=TEN)) as store:
        for nonsense in ("2026-13-01", 0, naive):
            found = refusal("a moment", lambda now: store.query(USER, "user-1", now=now), nonsense)
            assert found == "ValueError: … a moment …", f"a query at {nonsense!r} must be refused"
            found = refusal("a moment", lambda now: store.purge_expired(now=now), nonsense)
            assert found == "ValueError: … a moment …", f"a purge at {nonsense!r} must be refused"


def test_a_memory_that_ends_before_it_begins_is_refused(tmp_path):
    words = "expires_at must be later than created_at"
    with store_of(tmp_path) as store:
        for ends in (NINE - timedelta(days=365), NINE):
            found = refusal(words, store.put, memory("m1", expires_at=ends))
            assert found == f"ValueError: … {words} …", (
                f"a memory of {NINE} that ends at {ends} must be refused"
            )
        found = ids(store.query(USER, "user-1", now=NINE))
        assert found == [], "what was refused must not be stored"


def test_a_replacement_keeps_the_moment_of_creation(tmp_path):
    old = memory("m1", key="drink", source="event e1", expires_at=ELEVEN)
    new = memory("m1", content="prefers coffee", created_at=TEN, source="event e2", expires_at=NOON)
    with store_of(tmp_path, old, memory("m2")) as store:
        given_back = store.replace(new, now=TEN)
        kept = store.get("m1", USER, "user-1", now=ELEVEN)
        assert text_of(kept) == "prefers coffee", "a replacement must change the content"
        assert kept.expires_at == NOON, "a replacement must change the expiry"
        assert kept.source == "event e2", "a replacement must change the source"
        found = f"created at {kept.created_at:%H:%M}"
        assert found == "created at 09:00", "a replacement must not change the moment of creation"
        assert kept.key == "drink", "a replacement must not change the question it answers"
        assert given_back == kept, "a replacement must return what is stored now"
        other = store.get("m2", USER, "user-1", now=TEN)
        assert other.content == "prefers tea", "a replacement must not change another memory"


def test_a_limit_counts_live_memories_only(tmp_path):
    gone = [memory(f"a{number}", expires_at=TEN) for number in range(5)]
    live = [memory("b2", created_at=TEN), memory("b3", created_at=TEN), memory("b1"), memory("b0")]
    with store_of(tmp_path, *gone, *live) as store:
        found = ids(store.query(USER, "user-1", now=ELEVEN, limit=3))
        assert found == ["b0", "b1", "b2"], "a limit of 3 must give the three oldest live memories"
        found = ids(store.query(USER, "user-1", now=ELEVEN, limit=9))
        assert found == ["b0", "b1", "b2", "b3"], "a limit above their number must give all live memories"
        found = ids(store.query(USER, "user-1", now=ELEVEN, limit=0))
        assert found == [], "a limit of 0 must give no memory"
        found = refusal("limit", lambda limit: ids(store.query(USER, "user-1", limit=limit)), -1)
        assert found == "ValueError: … limit …", "a limit below 0 must be refused"


def test_every_way_to_read_stays_inside_scope_and_subject(tmp_path):
    mine = memory("m1", expires_at=ELEVEN)
    with store_of(tmp_path, mine) as store:
        assert store.get("m1", USER, "user-1", now=TEN) == mine, "an id must be found inside its boundary"
        for scope, subject in ((USER, "user-2"), (RUN, "user-1"), (SESSION, "user-2")):
            found = ids(store.query(scope, subject, now=TEN))
            assert found == [], f"a query by {subject} in scope {scope} must find nothing"
            found = text_of(store.get("m1", scope, subject, now=TEN))
            assert found is None, f"an id must not be found by {subject} in scope {scope}"
            other = memory("m1", scope, subject, content="prefers coffee")
            found = text_of(store.replace(other, now=TEN))
            assert found is None, f"a memory must not be replaced by {subject} in scope {scope}"
        assert store.query(USER, "user-1", now=TEN) == [mine], "the memory must be as it was"


def test_the_later_of_two_answers_to_one_question_is_kept(tmp_path):
    tea, tone = memory("m1", key="drink"), memory("m2", key="tone")
    elsewhere = memory("m3", subject_id="user-2", key="drink"), memory("m4", RUN, "user-1", key="drink")
    with store_of(tmp_path, tea, tone, *elsewhere) as store:
        later = memory("m0", content="prefers coffee", created_at=TEN, key="drink")
        found = refusal("the memory is stale", store.put, later)
        assert found == "accepted", "a memory from 10:00 must take the place of one from 09:00 with its key"
        found = ids(store.query(USER, "user-1", now=ELEVEN))
        assert found == ["m2", "m0"], "a later memory must take the place of the earlier one with its key"
        found = ids(store.query(USER, "user-2", now=ELEVEN)) + ids(store.query(RUN, "user-1", now=ELEVEN))
        assert found == ["m3", "m4"], "a key must count for its own scope and subject only"


def test_a_memory_that_is_not_later_than_the_one_it_would_replace_is_refused(tmp_path):
    with store_of(tmp_path, memory("m1", created_at=TEN, key="drink")) as store:
        for created in (NINE, TEN):
            late = memory("m9", content="prefers coffee", created_at=created, key="drink")
            found = refusal("the memory is stale", store.put, late)
            assert found == "ValueError: … the memory is stale …", (
                f"a memory from {created:%H:%M} must not replace one from {TEN:%H:%M}"
            )
        found = ids(store.query(USER, "user-1", now=ELEVEN))
        assert found == ["m1"], "a refused memory must leave the stored one"


def test_an_id_names_one_memory(tmp_path):
    words = "memory_id must be unique"
    with store_of(tmp_path, memory("m1")) as store:
        for again in (memory("m1", content="prefers coffee"), memory("m1", RUN, "run-1")):
            found = refusal(words, store.put, again)
            assert found == f"ValueError: … {words} …", "an id that is taken must be refused"
        found = [each.content for each in store.query(USER, "user-1", now=TEN)]
        assert found == ["prefers tea"], "a refused memory must not replace the stored one"


def test_what_is_no_id_is_refused(tmp_path):
    with store_of(tmp_path, memory("m1")) as store:
        for nonsense in ("", None, 1):
            found = refusal("memory_id", store.delete, nonsense)
            assert found == "ValueError: … memory_id …", f"deleting {nonsense!r} must be refused"
            found = refusal("memory_id", lambda each: store.get(each, USER, "user-1"), nonsense)
            assert found == "ValueError: … memory_id …", f"reading {nonsense!r} must be refused"


def test_what_leaves_the_store_leaves_its_file(tmp_path):
    text = "the code of the blue door is 4711. "
    ways = {
        "deleted": lambda store: store.delete("m1"),
        "purged": lambda store: store.purge_expired(now=TEN),
        "replaced": lambda store: store.replace(memory("m1", content="-"), now=NINE),
        "superseded": lambda store: store.put(memory("m2", content="-", created_at=TEN, key="door")),
    }
    for way, act in ways.items():
        old = memory("m1", content=9 * text, expires_at=TEN, key="door")
        with store_of(tmp_path / way, memory("copy", content=9 * text), memory("m9"), old) as store:
            # SQLite moves rows as a table grows, and may leave their old bytes behind: here, on purpose.
            store.connection.execute("PRAGMA secure_delete = OFF")
            store.connection.execute("DELETE FROM memories WHERE memory_id = 'copy'")
            store.connection.execute("PRAGMA secure_delete = ON")
            act(store)
            left = [path.name for path, held in store.database.contents().items() if text.encode() in held]
            assert left == [], f"what is {way} must be in no byte of any file"
