from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.errors import InvalidValue, MemoryRefused, StaleMemory, StorageError
from forge.instants import instant, moment
from forge.memory import MemoryRecord, MemoryScope, MemoryStore

NINE = datetime(2026, 8, 17, 9, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
USER = MemoryScope.USER


def memory(memory_id: str = "m1", **fields: Any) -> MemoryRecord:
    return MemoryRecord(
        **{
            "memory_id": memory_id,
            "scope": USER,
            "subject_id": "u",
            "content": "x",
            "created_at": NINE,
            **fields,
        }
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[MemoryStore]:
    with MemoryStore(tmp_path / "deep" / "memories.db", durable=False) as store:
        yield store


def everything(store: MemoryStore) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in store.connection.execute("SELECT * FROM memories ORDER BY memory_id")]


offsets = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
ticks = st.integers(-3_000_000, 3_000_000).map(lambda n: timedelta(microseconds=n))


@given(expires=ticks, now=ticks | st.just(None), zones=st.tuples(offsets, offsets, offsets))
def test_reading_and_purging_agree_at_every_moment_in_every_zone(
    tmp_path_factory: pytest.TempPathFactory,
    expires: timedelta,
    now: timedelta | None,
    zones: tuple[timezone, timezone, timezone],
) -> None:
    ends = (NINE + HOUR + expires).astimezone(zones[0])
    asked = ends.astimezone(zones[1]) if now is None else (NINE + HOUR + now).astimezone(zones[1])
    live = ends - asked > timedelta(0)
    with MemoryStore(tmp_path_factory.mktemp("store") / "m.db", durable=False) as store:
        record = memory(created_at=NINE.astimezone(zones[2]), expires_at=ends)
        store.put(record)
        assert store.query(USER, "u", now=asked) == ([record] if live else [])
        assert store.get("m1", USER, "u", now=asked) == (record if live else None)
        assert store.purge_expired(now=asked) == (0 if live else 1)
        assert len(everything(store)) == (1 if live else 0)


@given(st.datetimes(timezones=st.timezones() | offsets))
def test_a_moment_is_the_same_after_storing(when: datetime) -> None:
    assert moment(instant(when)) - when == timedelta(0)


def test_a_moment_is_now_when_none_is_given() -> None:
    before = datetime.now(UTC)
    assert before <= moment(instant()) <= datetime.now(UTC)


@pytest.mark.parametrize("fold", [0, 1])
def test_a_memory_made_in_the_hour_that_a_clock_repeats_is_read_back_equal(
    store: MemoryStore, fold: int
) -> None:
    twice = datetime(2026, 11, 1, 1, 30, fold=fold, tzinfo=ZoneInfo("America/New_York"))
    record = memory(created_at=twice)
    store.put(record)
    assert store.query(USER, "u") == [record]
    assert record.created_at == datetime(2026, 11, 1, 5 + fold, 30, tzinfo=UTC)


def test_a_record_is_read_back_with_all_its_fields(store: MemoryStore) -> None:
    record = memory(content="a\0b\n✓ 🎉 \u2028", expires_at=NINE + HOUR, source="event e1", key="drink")
    store.put(record)
    assert store.get("m1", USER, "u", now=NINE) == record
    assert MemoryRecord.model_validate_json(record.model_dump_json()) == record


def test_memories_come_in_the_order_of_their_creation_then_of_their_ids(store: MemoryStore) -> None:
    for memory_id, when in (("c", NINE), ("b", NINE + HOUR), ("a", NINE + HOUR), ("d", NINE - HOUR)):
        store.put(memory(memory_id, created_at=when))
    assert [record.memory_id for record in store.query(USER, "u")] == ["d", "c", "a", "b"]
    assert [record.memory_id for record in store.query(USER, "u", limit=2)] == ["d", "c"]
    assert store.query(USER, "u", limit=0) == []


def test_a_memory_without_a_key_never_supersedes(store: MemoryStore) -> None:
    for number in range(3):
        store.put(memory(f"m{number}"))
    assert len(store.query(USER, "u")) == 3


def test_a_stale_memory_is_told_with_what_holds_its_key(store: MemoryStore) -> None:
    store.put(memory("m1", key="drink", created_at=NINE))
    with pytest.raises(StaleMemory, match=r"^the memory is stale: 'm2' is from 2026-08-17 09:00") as caught:
        store.put(memory("m2", key="drink", created_at=NINE))
    assert caught.value.evidence == {"memory_id": "m2", "key": "drink", "held": "m1"}
    assert pickle.loads(pickle.dumps(caught.value)).evidence == caught.value.evidence
    assert isinstance(caught.value, MemoryRefused)
    assert isinstance(caught.value, ValueError)


def test_a_superseding_memory_that_is_refused_supersedes_nothing(store: MemoryStore) -> None:
    store.put(memory("m1", key="drink"))
    store.put(memory("m2"))
    before = everything(store)
    with pytest.raises(MemoryRefused, match=r"^memory_id must be unique: the store holds 'm2' already"):
        store.put(memory("m2", key="drink", created_at=NINE + HOUR))
    assert everything(store) == before


def test_a_replacement_gives_what_is_stored_now(store: MemoryStore) -> None:
    store.put(memory("m1", key="drink", source="event e1"))
    given = memory("m1", content="y", key="tone", created_at=NINE + HOUR, source="event e2")
    renewed = store.replace(given, now=NINE)
    assert renewed == memory("m1", content="y", key="drink", source="event e2")
    assert store.query(USER, "u", now=NINE) == [renewed]
    assert store.replace(memory("m9"), now=NINE) is None


def test_a_replacement_that_ends_before_the_creation_is_refused(store: MemoryStore) -> None:
    store.put(memory("m1"))
    before = everything(store)
    early = memory("m1", content="y", created_at=NINE - HOUR, expires_at=NINE)
    with pytest.raises(MemoryRefused, match=r"^expires_at must be later than created_at: 'm1' is created at"):
        store.replace(early, now=NINE)
    assert everything(store) == before


# What may happen to a store, against a plain dictionary that obeys the same rules.
steps = st.lists(
    st.tuples(
        st.sampled_from(["put", "replace", "delete", "purge"]),
        st.sampled_from("abc"),
        st.sampled_from(["u", "v"]),
        st.sampled_from([None, "k", "l"]),
        st.integers(0, 5),
        st.none() | st.integers(0, 5),
    ),
    max_size=25,
)


class Model:
    def __init__(self) -> None:
        self.held: dict[str, MemoryRecord] = {}

    def put(self, record: MemoryRecord) -> str:
        same = [m for m in self.held.values() if (m.subject_id, m.key) == (record.subject_id, record.key)]
        if record.expires_at is not None and record.expires_at <= record.created_at:
            return "refused"
        if record.memory_id in self.held:
            return "refused"
        if record.key is not None and same:
            if record.created_at <= same[0].created_at:
                return "stale"
            del self.held[same[0].memory_id]
        self.held[record.memory_id] = record
        return "stored"

    def live(self, now: datetime) -> list[MemoryRecord]:
        return [m for m in self.held.values() if m.expires_at is None or now < m.expires_at]


def act(store: MemoryStore, record: MemoryRecord) -> str:
    try:
        store.put(record)
    except StaleMemory:
        return "stale"
    except MemoryRefused:
        return "refused"
    return "stored"


@given(steps)
def test_a_store_holds_what_its_rules_say(tmp_path_factory: pytest.TempPathFactory, steps: list[Any]) -> None:
    model = Model()
    with MemoryStore(tmp_path_factory.mktemp("store") / "m.db", durable=False) as store:
        for what, memory_id, subject, key, hour, lifetime in steps:
            when = NINE + hour * HOUR
            ends = None if lifetime is None else NINE + lifetime * HOUR
            record = memory(memory_id, subject_id=subject, key=key, created_at=when, expires_at=ends)
            if what == "put":
                assert act(store, record) == model.put(record)
            elif what == "delete":
                assert store.delete(memory_id) is (model.held.pop(memory_id, None) is not None)
            elif what == "purge":
                kept = model.live(when)
                assert store.purge_expired(now=when) == len(model.held) - len(kept)
                model.held = {m.memory_id: m for m in kept}
            else:
                old = next(
                    (m for m in model.live(when) if (m.memory_id, m.subject_id) == (memory_id, subject)), None
                )
                if old is None or ends is None or ends > old.created_at:
                    renewed = old and old.model_copy(update={"content": "y", "expires_at": ends})
                    given = record.model_copy(update={"content": "y"})
                    assert store.replace(given, now=when) == renewed
                    model.held |= {memory_id: renewed} if renewed else {}
            for reader in ("u", "v"):
                expected = [m for m in model.live(when) if m.subject_id == reader]
                expected.sort(key=lambda m: (m.created_at, m.memory_id))
                assert store.query(USER, reader, now=when) == expected


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: memory(scope="team"), "MemoryRecord.scope was refused: expected 'run', 'session' or 'user'"),
        (lambda: memory(subject_id=""), "MemoryRecord.subject_id was refused: expected text of at least 1"),
        (
            lambda: memory(content="\ud800"),
            "MemoryRecord.content was refused: expected text that is valid Unicode",
        ),
        (
            lambda: memory(created_at=datetime(2026, 1, 1)),
            "MemoryRecord.created_at was refused: expected a time with",
        ),
        (
            lambda: memory(created_at="2026-01-01T00:00:00Z"),
            "MemoryRecord.created_at was refused: expected a date",
        ),
        (
            lambda: memory(created_at=datetime.max.replace(tzinfo=timezone(-HOUR))),
            "MemoryRecord.created_at was refused: expected a time in the years 1 to 9999 of UTC",
        ),
        (lambda: memory(tags=[]), "MemoryRecord.tags was refused: expected no such field"),
        (
            lambda: MemoryRecord.model_validate_json(
                '{"memory_id":"m","scope":"user","subject_id":"u","content":"x",'
                '"created_at":"2026-01-01T00:00:00Z","expires_at":"2026-13-01"}'
            ),
            "MemoryRecord.expires_at was refused: expected a date and time, found '2026-13-01'",
        ),
        (lambda: memory().model_copy(update={"content": ""}), "MemoryRecord.content was refused"),
    ],
)
def test_a_memory_that_cannot_be_is_refused_in_our_words(make: Callable[[], object], said: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        make()
    assert str(caught.value).startswith(said)
    assert "pydantic" not in str(caught.value)


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.query("team", "u"),
        lambda store: store.query(USER, ""),
        lambda store: store.query(USER, None),
        lambda store: store.query(USER, "\ud800"),
        lambda store: store.get("\ud800", USER, "u"),
        lambda store: store.delete(None),
        lambda store: store.delete("\ud800"),
        lambda store: store.get("m1", "team", "u"),
        lambda store: store.query(USER, "u", now=datetime(2026, 1, 1)),
        lambda store: store.query(USER, "u", now="2026-01-01T00:00:00Z"),
        lambda store: store.query(USER, "u", limit=-1),
        lambda store: store.query(USER, "u", limit=True),
        lambda store: store.purge_expired(now=datetime(2026, 1, 1)),
    ],
)
def test_a_question_without_sense_is_refused_rather_than_answered(
    store: MemoryStore, ask: Callable[[MemoryStore], object]
) -> None:
    store.put(memory(expires_at=NINE + HOUR))
    with pytest.raises(InvalidValue):
        ask(store)
    assert len(everything(store)) == 1


def test_a_scope_may_be_named_by_its_text(store: MemoryStore) -> None:
    store.put(memory(scope="user"))
    assert store.query("user", "u") == store.query(USER, "u")  # type: ignore[arg-type]


def test_a_closed_store_says_so(store: MemoryStore) -> None:
    store.close()
    store.close()
    with pytest.raises(StorageError, match=r"^the database is closed"):
        store.query(USER, "u")


def test_a_store_shows_its_name_and_nothing_that_changes(store: MemoryStore) -> None:
    assert repr(store) == "<memory store memories.db>"
    assert [path.name for path in store.files()] == ["memories.db"]
