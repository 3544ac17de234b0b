from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import forge.database
from forge.memory import MemoryRecord, MemoryScope, MemoryStore

NINE = datetime(2026, 8, 17, 9, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
USER = MemoryScope.USER
CANARY = "the canary sang at 04:12 behind the blue door"


def memory(memory_id: str, content: str, **fields: object) -> MemoryRecord:
    base = {"memory_id": memory_id, "scope": USER, "subject_id": "u", "content": content, "created_at": NINE}
    return MemoryRecord(**{**base, **fields})


@pytest.fixture(params=["delete", "wal"])
def path(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    safe_from = (3, 0, 0) if request.param == "wal" else (99, 0, 0)
    monkeypatch.setattr(forge.database, "WAL_IS_SAFE_FROM", safe_from)
    return tmp_path / "memories.db"


@pytest.fixture
def store(path: Path) -> Iterator[MemoryStore]:
    with MemoryStore(path, durable=False) as store:
        yield store


def holding(store: MemoryStore, text: str) -> list[str]:
    """The files of the store that hold the text, or a part of it."""
    parts = {text[at : at + 16].encode() for at in range(0, len(text) - 15, 16)}
    return [
        path.name for path, content in store.database.contents().items() if any(p in content for p in parts)
    ]


def bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


def test_deleted_text_is_gone_from_every_file_also_after_reopening(store: MemoryStore, path: Path) -> None:
    store.put(memory("m1", CANARY))
    store.put(memory("m2", "stays"))
    assert holding(store, CANARY)
    assert store.delete("m1")
    assert holding(store, CANARY) == []
    with MemoryStore(path, durable=False) as again:
        assert holding(again, CANARY) == []
        assert [record.content for record in again.query(USER, "u")] == ["stays"]
    store.close()
    assert CANARY.encode() not in bytes_of(path.parent)


@pytest.mark.parametrize(
    "forget",
    [
        lambda store: store.purge_expired(now=NINE + HOUR),
        lambda store: store.replace(memory("m1", "other"), now=NINE),
        lambda store: store.put(memory("m2", "other", key="k", created_at=NINE + HOUR)),
    ],
    ids=["purged", "replaced", "superseded"],
)
@pytest.mark.parametrize("copies", [1, 2_000], ids=["short", "long"])
def test_text_that_leaves_the_store_leaves_its_files(store: MemoryStore, forget: object, copies: int) -> None:
    store.put(memory("m1", CANARY * copies, expires_at=NINE + HOUR, key="k"))
    assert holding(store, CANARY)
    forget(store)  # type: ignore[operator]
    assert holding(store, CANARY) == []


@pytest.mark.parametrize("seed", range(3))
def test_no_copy_stays_behind_in_a_store_that_was_used_for_long(store: MemoryStore, seed: int) -> None:
    # When pages split, rows move; without rewriting, this finds copies of about one deletion in 150.
    choose = random.Random(seed)
    texts: dict[str, str] = {}
    for number in range(800):
        name = f"m{number}"
        if texts and choose.random() < 0.45:
            name = choose.choice(list(texts))
            assert store.delete(name)
            assert holding(store, texts.pop(name)) == [], f"step {number}"
        elif texts and choose.random() < 0.2:
            name = choose.choice(list(texts))
            texts[name] = "".join(choose.choices("abcdefghijklmnopqrstuvwxyz", k=choose.randint(16, 1_500)))
            store.replace(memory(name, texts[name]))
        else:
            texts[name] = "".join(choose.choices("abcdefghijklmnopqrstuvwxyz", k=choose.randint(16, 400)))
            store.put(memory(name, texts[name]))
    assert {record.memory_id: record.content for record in store.query(USER, "u")} == texts


def test_scrubbing_reaches_what_another_program_deleted_carelessly(store: MemoryStore, path: Path) -> None:
    store.put(memory("m1", CANARY * 200))
    other = sqlite3.connect(path)
    other.execute("PRAGMA secure_delete = OFF")
    other.execute("DELETE FROM memories")
    other.commit()
    other.close()
    assert holding(store, CANARY)
    scrub = store.scrub()
    assert not scrub.pending
    assert scrub.files == store.files()
    assert holding(store, CANARY) == []


def test_while_a_reader_holds_the_log_scrubbing_is_pending_and_is_finished_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forge.database, "WAL_IS_SAFE_FROM", (3, 0, 0))
    with MemoryStore(tmp_path / "memories.db", durable=False) as store:
        store.put(memory("m1", CANARY))
        reader = sqlite3.connect(store.path)
        reader.execute("BEGIN").execute("SELECT * FROM memories").fetchone()
        assert store.delete("m1")
        assert store.scrub().pending
        assert holding(store, CANARY)
        reader.close()
        assert not store.scrub().pending
        assert holding(store, CANARY) == []


def test_a_crash_before_the_log_was_emptied_is_made_good_on_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forge.database, "WAL_IS_SAFE_FROM", (3, 0, 0))
    store = MemoryStore(tmp_path / "memories.db", durable=False)
    store.put(memory("m1", CANARY))
    with monkeypatch.context() as crash:
        crash.setattr(store.database, "_empty_log", lambda: False)
        assert store.delete("m1")
    assert holding(store, CANARY)
    with MemoryStore(store.path, durable=False) as again:
        assert holding(again, CANARY) == []
    store.close()
