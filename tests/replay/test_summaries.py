"""A summary is found as long as nothing it came from was deleted, and never again after that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.errors import InvalidValue, SourceRefused, StorageError
from forge.replay import DerivedSummaryCache


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[DerivedSummaryCache]:
    with DerivedSummaryCache(tmp_path / "summaries.db") as cache:
        yield cache


def rows(cache: DerivedSummaryCache, table: str) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in cache.connection.execute(f"SELECT * FROM {table}"))


def test_a_summary_is_read_back_and_one_of_the_same_id_replaces_it(cache: DerivedSummaryCache) -> None:
    assert cache.get("day") is None
    cache.put("day", ["m1", "m2", "m1"], "Two things happened.")
    assert cache.get("day") == "Two things happened."
    cache.put("day", ["m2"], "One thing happened.")
    assert cache.get("day") == "One thing happened."
    assert DerivedSummaryCache(cache.path).get("day") == "One thing happened."


def test_invalidation_reaches_exactly_the_summaries_of_that_memory(cache: DerivedSummaryCache) -> None:
    cache.put("a", ["m1"], "of m1")
    cache.put("b", ["m1", "m2"], "of both")
    cache.put("c", ["m2"], "of m2")
    cache.put("d", [], "of no memory")
    assert cache.derived_from("m1") == {"a": "of m1", "b": "of both"}
    assert cache.invalidate_for_memory("m1") == 2
    assert [cache.get(name) for name in "abcd"] == [None, None, "of m2", "of no memory"]
    assert cache.invalidate_for_memory("m1") == 0
    assert cache.invalidate_for_memory("never seen") == 0


def test_ids_that_look_alike_are_told_apart(cache: DerivedSummaryCache) -> None:
    for number, memory_id in enumerate(["m1", "m10", "M1", "m_", "m%", '["m1"]', "m1 "]):
        cache.put(f"s{number}", [memory_id], memory_id)
    assert cache.derived_from("m1") == {"s0": "m1"}
    assert cache.invalidate_for_memory("m_") == 1
    assert cache.get("s0") == "m1"


def test_a_memory_and_a_summary_of_one_name_are_two_things(cache: DerivedSummaryCache) -> None:
    cache.put("x", ["m1"], "the summary x")
    cache.put("y", ["x"], "of the memory x")
    assert cache.invalidate_for_memory("x") == 1
    assert cache.get("x") == "the summary x"


def test_invalidation_goes_through_summaries_of_summaries(cache: DerivedSummaryCache) -> None:
    cache.put("day", ["m1"], "day")
    cache.put("week", ["m2"], "week", source_summary_ids=["day"])
    cache.put("month", [], "month", source_summary_ids=["week", "day"])
    cache.put("other", ["m2"], "other")
    assert cache.derived_from("m1") == {"day": "day", "week": "week", "month": "month"}
    assert cache.invalidate_for_memory("m1") == 3
    assert cache.get("other") == "other"


def test_a_deleted_memory_is_no_source_any_more_also_not_in_a_cache_opened_afterwards(
    cache: DerivedSummaryCache,
) -> None:
    cache.invalidate_for_memory("m1")
    with DerivedSummaryCache(cache.path) as later:
        words = (
            "a summary of a deleted memory is refused: 's' names the memory 'm1', which was deleted. Leave"
        )
        for each in (cache, later):
            with pytest.raises(SourceRefused, match=words) as caught:
                each.put("s", ["m2", "m1"], "comes back")
            assert caught.value.evidence == {"summary_id": "s", "kind": "memory", "source_id": "m1"}
            assert each.get("s") is None


def test_an_invalidated_summary_is_no_source_any_more(cache: DerivedSummaryCache) -> None:
    cache.put("day", ["m1"], "day")
    cache.put("week", [], "week", source_summary_ids=["day"])
    cache.invalidate_for_memory("m1")
    with DerivedSummaryCache(cache.path) as later:
        for source in ("day", "week"):
            with pytest.raises(SourceRefused, match="a summary of a deleted summary is refused"):
                later.put("s", [], "comes back", source_summary_ids=[source])


def test_an_invalidated_id_can_be_put_again_from_other_sources_and_still_is_no_source(
    cache: DerivedSummaryCache,
) -> None:
    cache.put("day", ["m1", "m2"], "day")
    cache.invalidate_for_memory("m1")
    with pytest.raises(SourceRefused):
        cache.put("day", ["m1", "m2"], "day")
    cache.put("day", ["m2"], "without m1")
    assert cache.get("day") == "without m1"
    with pytest.raises(SourceRefused):  # somebody may have read its first text
        cache.put("week", [], "week", source_summary_ids=["day"])


def test_a_summary_made_from_an_earlier_text_goes_with_that_texts_memory(cache: DerivedSummaryCache) -> None:
    cache.put("day", ["m1"], "says what m1 says")
    cache.put("week", [], "says what m1 says", source_summary_ids=["day"])
    cache.put("day", ["m2"], "says what m2 says")
    assert cache.derived_from("m1") == {"week": "says what m1 says"}
    assert cache.invalidate_for_memory("m1") == 1
    assert (cache.get("day"), cache.get("week")) == ("says what m2 says", None)


def test_one_that_was_being_made_from_an_earlier_text_is_refused_or_goes_too(
    cache: DerivedSummaryCache,
) -> None:
    cache.put("day", ["m1"], "says what m1 says")
    cache.put("day", ["m2"], "says what m2 says")
    # Its writer has read the first text of "day".
    cache.put("week", [], "says what m1 says", source_summary_ids=["day"])
    assert cache.invalidate_for_memory("m1") == 1
    with pytest.raises(SourceRefused):
        cache.put("month", [], "says what m1 says", source_summary_ids=["day"])
    assert (cache.get("day"), cache.get("week")) == ("says what m2 says", None)


@pytest.mark.parametrize("source", ["a", "b", "c"])
def test_a_circle_is_refused(cache: DerivedSummaryCache, source: str) -> None:
    cache.put("a", ["m1"], "a")
    cache.put("b", [], "b", source_summary_ids=["a"])
    cache.put("c", [], "c", source_summary_ids=["b"])
    with pytest.raises(
        SourceRefused, match=f"a summary cannot be its own source: 'a' names the summary '{source}'"
    ):
        cache.put("a", ["m1"], "again", source_summary_ids=[source])
    assert cache.get("a") == "a"
    assert cache.invalidate_for_memory("m1") == 3


def test_what_is_no_circle_any_more_is_accepted(cache: DerivedSummaryCache) -> None:
    cache.put("a", ["m1"], "a")
    cache.put("b", [], "b", source_summary_ids=["a"])
    cache.put("b", ["m2"], "b")
    cache.put("a", [], "a", source_summary_ids=["b"])
    assert cache.derived_from("m1") == {"b": "b"} or cache.derived_from("m1") == {"a": "a"}


def test_an_unknown_summary_is_no_source(cache: DerivedSummaryCache) -> None:
    for source in ("never put", "s"):
        with pytest.raises(SourceRefused, match="a summary of an unknown summary is refused"):
            cache.put("s", [], "s", source_summary_ids=[source])


@pytest.mark.parametrize(
    ("summary_id", "memories", "content", "summaries", "path"),
    [
        ("", ["m1"], "text", [], "summary_id"),
        (7, ["m1"], "text", [], "summary_id"),
        ("s", "m1", "text", [], "source_memory_ids"),
        ("s", ["m1"], "text", "day", "source_summary_ids"),
        ("s", ["m1", ""], "text", [], "source_memory_ids"),
        ("s", [1], "text", [], "source_memory_ids"),
        ("s", [], "text", [None], "source_summary_ids"),
        ("s", ["m1"], "\ud800", [], "content"),
        ("s", ["m1"], None, [], "content"),
        ("\udfff", ["m1"], "text", [], "summary_id"),
    ],
)
def test_what_cannot_be_a_summary_is_refused_with_its_path(
    cache: DerivedSummaryCache, summary_id: Any, memories: Any, content: Any, summaries: Any, path: str
) -> None:
    with pytest.raises(InvalidValue, match=f"^{path} was refused: expected "):
        cache.put(summary_id, memories, content, source_summary_ids=summaries)
    assert rows(cache, "summaries") == rows(cache, "sources") == []


@pytest.mark.parametrize("memory_id", ["", None, 3])
def test_only_an_id_can_be_invalidated(cache: DerivedSummaryCache, memory_id: Any) -> None:
    with pytest.raises(InvalidValue, match="memory_id was refused"):
        cache.invalidate_for_memory(memory_id)
    assert rows(cache, "tombstones") == []


def test_a_refused_put_leaves_the_summary_and_its_sources_as_they_were(cache: DerivedSummaryCache) -> None:
    cache.put("day", ["m1"], "day")
    cache.invalidate_for_memory("m2")
    before = rows(cache, "summaries"), rows(cache, "sources")
    for refused in ({"source_memory_ids": ["m2"]}, {"source_memory_ids": [], "source_summary_ids": ["day"]}):
        with pytest.raises(SourceRefused):
            cache.put("day", content="another", **refused)
    assert (rows(cache, "summaries"), rows(cache, "sources")) == before


def test_sources_are_found_by_an_index(cache: DerivedSummaryCache) -> None:
    plan = cache.connection.execute(
        "EXPLAIN QUERY PLAN SELECT summary_id FROM sources WHERE kind = 'memory' AND source_id = 'm1'"
    ).fetchall()
    assert "summaries_of" in " ".join(row["detail"] for row in plan)


def test_a_closed_cache_says_so(cache: DerivedSummaryCache) -> None:
    cache.close()
    cache.close()
    with pytest.raises(StorageError, match="the database is closed"):
        cache.get("day")


# A cache against the plainest account of what each text may say.

IDS = st.sampled_from(["a", "b", "c", "d"])
MEMORIES = st.sampled_from(["m1", "m2", "m3"])
PUT = st.tuples(st.just("put"), IDS, st.sets(MEMORIES, max_size=2), st.sets(IDS, max_size=2))
FORGET = st.tuples(st.just("forget"), MEMORIES)
STEPS = st.lists(st.one_of(PUT, PUT, PUT, FORGET), min_size=4, max_size=16)


def above(name: str, sources: dict[str, set[str]]) -> set[str]:
    """Everything that `name` is made from, however far away."""
    found: set[str] = set()
    todo = [name]
    while todo:
        new = sources.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


@given(STEPS)
def test_no_summary_ever_holds_text_of_a_deleted_memory(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[Any, ...]]
) -> None:
    says: dict[str, set[str]] = {}  # the memories whose text a stored summary may hold
    said: dict[str, set[str]] = {}  # those whose text it, or an earlier one of its id, may have held
    now: dict[str, set[str]] = {}  # the sources of a stored summary
    ever: dict[str, set[str]] = {}  # those it was ever put with
    deleted: set[str] = set()
    barred: set[str] = set()
    with DerivedSummaryCache(tmp_path_factory.mktemp("cache") / "summaries.db", durable=False) as cache:
        for what, name, *sources in steps:
            if what == "forget":
                must = {one for one, memories in says.items() if name in memories}
                may = {one for one in says if name in above(one, ever)}
                gone = set(cache.derived_from(name))
                assert must <= gone <= may
                assert cache.invalidate_for_memory(name) == len(gone)
                deleted.add(name)
                barred |= {one for one in ever if name in above(one, ever)}
                for one in gone:
                    del says[one], now[one]
                continue
            memories, summaries = sources
            circle = name in summaries or any(name in above(source, now) for source in summaries)
            try:
                cache.put(name, memories, "text", source_summary_ids=summaries)
                accepted = True
            except SourceRefused:
                accepted = False
            assert accepted is not bool(
                memories & deleted or summaries & barred or summaries - set(says) or circle
            )
            if accepted:
                says[name] = memories.union(*(said[source] for source in summaries))
                assert not says[name] & deleted
                now[name] = memories | summaries
                said[name] = said.get(name, set()) | says[name]
                ever[name] = ever.get(name, set()) | now[name]
            assert {one for one in "abcd" if cache.get(one) is not None} == set(says)
