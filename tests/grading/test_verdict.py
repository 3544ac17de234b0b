"""What an answer earns, and what is said of it."""

from __future__ import annotations

import json

import pytest

from forge.grading.judging import Record, _record
from forge.grading.merge import Bound
from forge.grading.probing import Case, Item
from forge.grading.run import Seen
from forge.grading.verdict import earned, in_words, verdict

ACCEPTED = [json.dumps({"returned": number}) for number in range(4)]
REFUSED = [json.dumps({"raised": "ValueError", "words": [word]}) for word in ("gap", "end")]
WANTED = [*ACCEPTED, *REFUSED]
NOTHING = [json.dumps({"raised": "NotImplementedError"})] * 6
ITEM = Item("gap", "exercise", "The gap", "forge.state:x", 10, ("look", "compare", "shape"))
CASES = [Case(f"case {number}", number) for number in range(6)]


def judged(record: Record, *, attempted: bool = True):
    return verdict(ITEM, Bound("def f(): ...", attempted), CASES, WANTED, NOTHING, record)


def test_all_right_earns_all_and_the_shipped_cell_nothing() -> None:
    assert earned(WANTED, NOTHING, WANTED) == 1
    assert earned(WANTED, NOTHING, NOTHING) == 0
    assert earned(WANTED, WANTED[:4] + NOTHING[:2], WANTED[:4] + NOTHING[:2]) == 0


def test_refusals_count_only_when_all_that_must_be_accepted_is() -> None:
    assert earned(WANTED, NOTHING, [*NOTHING[:4], *REFUSED]) == 0
    assert earned(WANTED, NOTHING, [ACCEPTED[0], *NOTHING[:3], *REFUSED]) == 0
    assert earned(WANTED, NOTHING, [*ACCEPTED, *NOTHING[:2]]) == 3 / 5
    assert earned(WANTED, NOTHING, [*ACCEPTED[:3], NOTHING[0], *REFUSED]) == 2 / 5


@pytest.mark.parametrize("value", sorted(set(WANTED)))
def test_no_constant_earns_anything(value: str) -> None:
    assert earned(WANTED, NOTHING, [value] * 6) == 0


def test_where_all_is_accepted_with_one_value_only_refusals_earn() -> None:
    wanted = [ACCEPTED[0]] * 4 + REFUSED
    assert earned(wanted, NOTHING, [ACCEPTED[0]] * 6) == 0
    assert earned(wanted, NOTHING, [ACCEPTED[0]] * 5 + REFUSED[1:]) == 1 / 2


def test_equal_in_python_is_not_equal_enough() -> None:
    wanted = [json.dumps({"returned": value}) for value in (1, 2, 0)]
    found = [json.dumps({"returned": value}) for value in (True, 2.0, False)]
    assert earned(wanted, ["null"] * 3, found) == 0


def test_a_pass_is_only_what_differs_nowhere() -> None:
    assert judged(Record(tuple(WANTED))).verdict == "pass"
    other = judged(Record((*WANTED[:4], WANTED[5], json.dumps({"returned": 0}))))
    assert [case.seen for case in other.cases[4:]] == ["refused, for another reason", "accepted"]
    almost = judged(Record((*WANTED[:5], "null")))
    assert (almost.verdict, almost.points, almost.reason) == ("fail", 8.0, "1 of 6 cases differ")


@pytest.mark.parametrize(
    ("record", "attempted", "expected"),
    [
        (Record(), False, "not attempted"),
        (Record(tuple(WANTED)), False, "not attempted"),
        (Record(tuple(NOTHING)), True, "not attempted"),
        (Record(how="blocked"), True, "blocked"),
        (Record(how="died", words="by SIGKILL"), True, "fail"),
        (Record(how="garbled"), True, "fail"),
        (Record(), True, "could not judge"),
    ],
)
def test_what_is_no_pass_earns_nothing_and_says_why(record: Record, attempted: bool, expected: str) -> None:
    found = judged(record, attempted=attempted)
    assert (found.verdict, found.points) == (expected, 0)
    assert found.hint


def test_what_was_seen_is_said_in_words_that_carry_nothing_else() -> None:
    assert in_words('{"returned": "the hidden input"}') == "accepted"
    assert in_words('[{"raised": "ValueError", "words": ["x"]}, 7]') == "refused with ValueError"
    assert in_words('{"raised": "TheHiddenInput"}') == "refused with an error"
    assert in_words('{"raised": ["x"]}') == "refused with an error"
    assert in_words("the hidden input") == "something that cannot be read"
    assert in_words('"the hidden input"') == "something else"


def test_a_value_of_any_depth_is_put_into_words() -> None:
    assert in_words("[" * 4_000) == "something that cannot be read"
    assert in_words("9" * 4_000) == "something else"


@pytest.mark.parametrize(
    "value",
    ["x" * 5_000, "\ud800", "é", 7, None, ["x"]],
    ids=["long", "surrogate", "letter", "7", "None", "list"],
)
def test_what_cannot_be_the_text_of_a_value_is_not_recorded(value: object) -> None:
    cell = Seen("probe gap", True, "", "", ({"item": "gap", "values": ["1", value]},))
    assert _record("gap", 2, cell) == Record(how="garbled", words="its cell did not display one value")
    good = Seen("probe gap", True, "", "", ({"item": "gap", "values": ["1", "x" * 4_000 + "…"]},))
    assert _record("gap", 2, good).how == ""
