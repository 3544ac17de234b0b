"""Selection: what of a recall may be shown, and who wins where facts disagree."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.errors import InvalidValue
from forge.harness.recall import Recall, RecallResult
from forge.harness.selection import MemorySelection, SelectionPolicy, select_memory_context

AT = datetime(2026, 1, 5, 9, tzinfo=UTC)
WORKSPACE, USER = "workspace:atlas", "user:ada"
POLICY = SelectionPolicy(scopes={WORKSPACE: 2, USER: 1})


def result(rank: int, **more: Any) -> RecallResult:
    values: dict[str, Any] = {
        "query_id": "query-1",
        "memory_id": f"m{rank}",
        "rank": rank,
        "score": 10.0 - rank,
        "scope": WORKSPACE,
        "content": f"fact {rank}",
        "source_id": "note-1",
        "source_kind": "user_message",
        "captured_at": AT,
    }
    return RecallResult(**{**values, **more})


def recall(*results: RecallResult) -> Recall:
    return Recall("query-1", "which day", (USER, WORKSPACE), results)


def reasons(selection: MemorySelection) -> dict[str, str]:
    return {rejected.memory_id: rejected.reason for rejected in selection.rejected}


def test_what_fits_is_selected_with_all_that_recall_said() -> None:
    found = recall(result(1), result(2))
    selection = select_memory_context(found, POLICY)
    assert selection.selected_ids == ("m1", "m2")
    assert selection.rejected == ()
    for chosen, recalled in zip(selection.selected, found.results, strict=True):
        assert {**dict(chosen)} == {**dict(recalled), "authority": 2}


@pytest.mark.parametrize(
    ("policy", "more", "reason"),
    [
        ({}, {"scope": "workspace:borea"}, "scope"),
        ({"minimum_score": 9.5}, {"score": 9.4}, "minimum score"),
        ({"minimum_authority": 2}, {"scope": USER}, "authority"),
        ({"max_characters": 5}, {}, "characters"),
        ({"max_tokens": 1}, {}, "tokens"),
        ({"top_k": 0}, {}, "top k"),
    ],
)
def test_each_bar_rejects_and_says_so(policy: dict[str, Any], more: dict[str, Any], reason: str) -> None:
    selection = select_memory_context(recall(result(1, **more)), POLICY.model_copy(update=policy))
    assert selection.selected == ()
    assert reasons(selection) == {"m1": reason}


def test_a_score_at_the_minimum_is_enough() -> None:
    policy = POLICY.model_copy(update={"minimum_score": 9.0})
    assert select_memory_context(recall(result(1), result(2)), policy).selected_ids == ("m1",)


def test_what_may_not_be_shown_takes_no_place_from_what_may() -> None:
    barred = [result(rank, scope="workspace:borea") for rank in range(1, 4)]
    lost = result(5, scope=USER, conflict_key="day")
    found = recall(*barred, result(4, conflict_key="day"), lost, result(6), result(7))
    selection = select_memory_context(found, POLICY.model_copy(update={"top_k": 2}))
    assert selection.selected_ids == ("m4", "m6")
    assert reasons(selection) == {
        "m1": "scope",
        "m2": "scope",
        "m3": "scope",
        "m5": "conflict",
        "m7": "top k",
    }


@pytest.mark.parametrize(
    ("one", "other", "winner"),
    [
        ({"scope": USER}, {"scope": WORKSPACE}, "m2"),
        ({"scope": USER, "captured_at": AT + timedelta(days=9)}, {"scope": WORKSPACE}, "m2"),
        ({"captured_at": AT}, {"captured_at": AT + timedelta(microseconds=1)}, "m2"),
        ({"score": 5.0}, {"score": 5.5}, "m2"),
        ({}, {}, "m1"),
    ],
    ids=["authority", "authority before time", "time", "score", "rank"],
)
def test_the_winner_of_a_conflict_is_shown_and_the_loser_is_named(
    one: dict[str, Any], other: dict[str, Any], winner: str
) -> None:
    found = recall(result(1, conflict_key="day", **one), result(2, conflict_key="day", **other))
    selection = select_memory_context(found, POLICY)
    loser = {"m1": "m2", "m2": "m1"}[winner]
    assert selection.selected_ids == (winner,)
    assert reasons(selection) == {loser: "conflict"}
    [conflict] = selection.conflicts
    assert (conflict.conflict_key, conflict.winner, conflict.losers) == ("day", winner, (loser,))


def test_a_loser_does_not_come_in_when_the_winner_has_no_room() -> None:
    found = recall(result(1, scope=USER, conflict_key="day"), result(2, conflict_key="day", content="x" * 50))
    selection = select_memory_context(found, POLICY.model_copy(update={"max_characters": 20}))
    assert selection.selected == ()
    assert reasons(selection) == {"m1": "conflict", "m2": "characters"}


def test_a_barred_fact_cannot_win_a_conflict() -> None:
    found = recall(result(1, conflict_key="day", scope="workspace:borea"), result(2, conflict_key="day"))
    selection = select_memory_context(found, POLICY)
    assert selection.selected_ids == ("m2",)
    assert selection.conflicts == ()


def test_a_fact_cannot_say_how_much_it_counts() -> None:
    with pytest.raises(InvalidValue):
        result(1, authority=99)


@pytest.mark.parametrize("scopes", [{WORKSPACE: "2"}, {WORKSPACE: True}, [WORKSPACE], {3: 1}])
def test_a_policy_without_clear_authorities_is_refused(scopes: object) -> None:
    with pytest.raises(InvalidValue):
        SelectionPolicy(scopes=scopes)


facts = st.fixed_dictionaries(
    {
        "scope": st.sampled_from([WORKSPACE, USER, "workspace:borea"]),
        "score": st.floats(0, 9),
        "conflict_key": st.sampled_from([None, "day", "price"]),
        "content": st.text("ab 会", min_size=1, max_size=30),
    }
)


@given(
    st.lists(facts, max_size=12), st.integers(0, 5), st.integers(0, 80), st.integers(0, 30), st.floats(0, 5)
)
def test_every_recalled_fact_is_either_shown_or_rejected_and_the_budget_holds(
    rows: list[dict[str, Any]], top_k: int, characters: int, tokens: int, score: float
) -> None:
    found = recall(*(result(rank, **row) for rank, row in enumerate(rows, start=1)))
    limits = {"top_k": top_k, "max_characters": characters, "max_tokens": tokens, "minimum_score": score}
    selection = select_memory_context(found, POLICY.model_copy(update=limits))
    ids = [r.memory_id for r in found.results]
    assert sorted([*selection.selected_ids, *selection.rejected_ids]) == sorted(ids)
    assert len(selection.selected) <= top_k
    assert sum(len(c.content) for c in selection.selected) <= characters
    assert [c.rank for c in selection.selected] == sorted(c.rank for c in selection.selected)
    keys = [c.conflict_key for c in selection.selected if c.conflict_key]
    assert len(keys) == len(set(keys))
    assert all(c.scope in POLICY.scopes and c.score >= score for c in selection.selected)
