"""Recall: which facts speak of a question, in which scopes, in which order."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.errors import InvalidValue
from forge.harness.facts import Fact, StoredFact, keep
from forge.harness.recall import CROWD, RecallEngine, RecallResult, index_words, question_words
from forge.harness.remote_memory import RemoteMemoryStore

AT = datetime(2026, 1, 5, 9, tzinfo=UTC)
HERE = "workspace:atlas"


def engine(path: Path, *contents: str, scope: str = HERE) -> RecallEngine:
    store = RemoteMemoryStore(path / "remote.jsonl", fsync_every=1000)
    for number, content in enumerate(contents):
        source = {"source_id": f"note-{number}", "source_kind": "user_message"}
        keep(store, Fact(scope=scope, content=content, captured_at=AT, **source))
    return RecallEngine(store)


def found(engine: RecallEngine, query: str, *scopes: str, limit: int = 20) -> list[str]:
    return [result.content for result in engine.recall(query, scopes or [HERE], limit=limit).results]


def test_a_result_says_where_it_stands_and_where_it_comes_from(tmp_path: Path) -> None:
    asked = engine(tmp_path, "The budget is 900.", "The release day is Thursday.", "Lunch is at noon.")
    recall = asked.recall("Which day is the release?", [HERE])
    best = recall.results[0]
    assert [result.rank for result in recall.results] == list(range(1, len(recall.results) + 1))
    assert best.content == "The release day is Thursday."
    assert (best.query_id, best.scope, best.source_id, best.source_kind, best.captured_at) == (
        recall.query_id,
        HERE,
        "note-1",
        "user_message",
        AT,
    )
    assert best.score > recall.results[-1].score >= 0
    assert RecallResult.from_json(best.to_json()) == best


def test_the_better_fit_comes_first_and_ties_go_to_the_older(tmp_path: Path) -> None:
    asked = engine(
        tmp_path,
        "The piano is tuned in May.",
        "The piano room is locked.",
        "The piano is tuned in June.",
        "x",
    )
    assert found(asked, "when is the piano tuned") == [
        "The piano is tuned in May.",
        "The piano is tuned in June.",
        "The piano room is locked.",
    ]


@pytest.mark.parametrize("query", ["发布日期", "发布", "日期是哪天", "期", "星期四"])
def test_chinese_is_found_by_words_of_one_and_two_and_more_characters(tmp_path: Path, query: str) -> None:
    asked = engine(tmp_path, "预算是九百元。", "发布日期是星期四。", "The budget is 900.")
    assert found(asked, query)[0] == "发布日期是星期四。"


@pytest.mark.parametrize("query", ["期发", "布期日"])
def test_characters_that_do_not_follow_each_other_are_no_word(tmp_path: Path, query: str) -> None:
    assert found(engine(tmp_path, "发布日期是星期四。"), query) == []


def test_japanese_korean_and_mixed_text_are_found(tmp_path: Path) -> None:
    asked = engine(tmp_path, "会議は木曜日です", "회의는 목요일", "用Python写的release脚本")
    assert found(asked, "木曜日") == ["会議は木曜日です"]
    assert found(asked, "목요일") == ["회의는 목요일"]
    assert found(asked, "python") == found(asked, "脚本") == ["用Python写的release脚本"]


def test_case_and_accents_make_no_difference(tmp_path: Path) -> None:
    asked = engine(tmp_path, "Zoë meets José in the café.", "Das Maß ist voll.")
    assert found(asked, "ZOE jose CAFE") == ["Zoë meets José in the café."]
    assert found(asked, "MASS") == ["Das Maß ist voll."]


def test_a_foreign_scope_is_never_found_and_takes_no_place(tmp_path: Path) -> None:
    mine = engine(tmp_path, "The release day is Thursday, they say.")
    for number in range(30):
        engine(tmp_path, f"release day {number}", scope="workspace:borea")
    assert found(mine, "release day", limit=1) == ["The release day is Thursday, they say."]
    assert found(mine, "release day", "workspace:nobody") == []
    assert mine.recall("release day", []).results == ()
    both = found(mine, "release day", HERE, "workspace:borea", limit=100)
    assert len(both) == 31


@pytest.mark.parametrize(
    "query", ["", "  ", "?!", '" OR "', "*", "NEAR(", "scope : s0", "a AND NOT b", "x -y ^z"]
)
def test_no_question_is_read_as_a_command_of_the_index(tmp_path: Path, query: str) -> None:
    asked = engine(tmp_path, "The release day is Thursday.")
    assert found(asked, query) == []


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_can_be_kept_and_asked_for(content: str, query: str) -> None:
    wanted, kept = set(question_words(query)), set(index_words(content))
    assert set(question_words(content)) <= kept, "a text is found by its own words"
    assert all(word and not set(word) & set("\"'*:()-^ ") for word in wanted | kept)


@pytest.mark.parametrize("query", ["\ud800", 5, None])
def test_a_question_that_is_no_text_is_refused(tmp_path: Path, query: str) -> None:
    with pytest.raises(InvalidValue, match="query was refused"):
        engine(tmp_path, "x").recall(query, [HERE])


@pytest.mark.parametrize("limit", [0, -1, True, 2.5])
def test_a_limit_that_is_no_number_is_refused(tmp_path: Path, limit: int) -> None:
    with pytest.raises(InvalidValue, match="limit was refused"):
        engine(tmp_path, "x").recall("x", [HERE], limit=limit)


def test_what_was_added_since_is_found_by_an_engine_that_is_open(tmp_path: Path) -> None:
    asked = engine(tmp_path, "one")
    assert found(asked, "two") == []
    engine(tmp_path, "two")
    assert found(asked, "two") == ["two"]


def test_the_same_question_to_the_same_facts_has_the_same_id(tmp_path: Path) -> None:
    asked = engine(tmp_path, "one", "two")
    again = RecallEngine(asked._store)
    first = asked.recall("one", [HERE, "user:ada"])
    assert again.recall("one", ["user:ada", HERE]) == first
    assert asked.recall("one", [HERE]).query_id != first.query_id
    engine(tmp_path, "three")
    assert asked.recall("one", [HERE, "user:ada"]).query_id != first.query_id


def test_what_is_kept_of_a_recall_has_no_text_of_the_facts(tmp_path: Path) -> None:
    recall = engine(tmp_path, "The release day is Thursday.").recall("release", [HERE])
    told = recall.to_json()
    assert "Thursday" not in str(told)
    assert (
        told["results"][0]["memory_id"]
        == StoredFact.of(
            Fact(
                scope=HERE,
                content="The release day is Thursday.",
                source_id="n",
                source_kind="x",
                captured_at=AT,
            )
        ).memory_id
    )


def test_a_word_that_everybody_uses_does_not_crowd_out_a_rare_one(tmp_path: Path) -> None:
    asked = engine(tmp_path, "the crane", "the hall", "the key")
    asked._spread.update(the=CROWD)
    asked.refresh()
    assert asked._chosen("the crane") == ["crane"]
    assert asked._chosen("the") == ["the"], "one word is always looked for"
