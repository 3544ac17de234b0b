from __future__ import annotations

import copy
import inspect
import pickle
from typing import Annotated, Literal

import pytest
from pydantic import Field

from forge import errors
from forge.errors import ForgeError, ForgeModel, InvalidValue, NotInCourse, SequenceGap
from forge.wording import show

KINDS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, ForgeError)]


class Inner(ForgeModel):
    count: int = Field(ge=1)


class Round(ForgeModel):
    shape: Literal["round"]


class Square(ForgeModel):
    shape: Literal["square"]


class Outer(ForgeModel):
    name: Annotated[str, Field(min_length=1)]
    inner: Inner
    items: tuple[Inner, ...] = ()
    flag: bool = True
    pair: tuple[Inner, ...] = Field(default=(Inner(count=1),), min_length=1, max_length=1)
    form: Round | Square | None = Field(default=None, discriminator="shape")


def test_an_error_reads_as_words_then_facts_then_hint() -> None:
    error = SequenceGap("event sequence must be contiguous", "event 4 follows event 2.", "Read again from 3.")
    assert str(error) == "event sequence must be contiguous: event 4 follows event 2. Read again from 3."


def test_a_key_error_of_ours_reads_as_a_sentence_without_quotes() -> None:
    assert str(NotInCourse("no stage 'x'", "there is 01.")) == "no stage 'x': there is 01."


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_error_survives_pickle_and_copy_with_its_evidence(kind: type[ForgeError]) -> None:
    error = kind("words", "facts.", "Do this.", path="a", count=2)
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (type(again), str(again), again.evidence) == (kind, str(error), {"path": "a", "count": 2})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_tree_in_the_docstring_shows_every_error(kind: type[ForgeError]) -> None:
    assert f" {kind.__name__} " in (errors.__doc__ or "").replace("\n", " ")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"name": "a"}, "Outer.inner was refused: expected a value, found nothing."),
        (
            {"name": "", "inner": {"count": 1}},
            "Outer.name was refused: expected text of at least 1 characters, found ''.",
        ),
        (
            {"name": "a", "inner": {"count": 0}},
            "Outer.inner.count was refused: expected a number of at least 1, found 0.",
        ),
        (
            {"name": "a", "inner": {"count": "1"}},
            "Outer.inner.count was refused: expected a whole number, found '1'.",
        ),
        (
            {"name": "a", "inner": {"count": 1}, "x": 1},
            "Outer.x was refused: expected no such field, found 1.",
        ),
        (
            {"name": "a", "inner": {"count": 1}, "items": (Inner(count=1), {"count": -1})},
            "Outer.items[1].count was refused: expected a number of at least 1, found -1.",
        ),
        (
            {"name": "a", "inner": {"count": 1}, "flag": "false"},
            "Outer.flag was refused: expected true or false, found 'false'.",
        ),
        (
            {"name": "a", "inner": {"count": 1}, "pair": ()},
            "Outer.pair was refused: expected at least 1 of them, found ().",
        ),
        (
            {"name": "a", "inner": {"count": 1}, "pair": (Inner(count=1),) * 2},
            "Outer.pair was refused: expected at most 1 of them, found (Inner(count=1), Inner(count=1)).",
        ),
        (
            {"name": "a", "inner": {"count": 1}, "form": {"shape": "flat"}},
            "Outer.form was refused: expected a 'shape' out of 'round', 'square', found {'shape': 'flat'}.",
        ),
        (
            {"name": "a", "inner": {"count": 1}, "form": {}},
            "Outer.form was refused: expected a field 'shape', found {}.",
        ),
    ],
)
def test_a_refused_value_names_path_expected_and_found(values: dict[str, object], words: str) -> None:
    for make in (lambda: Outer(**values), lambda: Outer.model_validate(values)):
        with pytest.raises(InvalidValue) as caught:
            make()
        assert str(caught.value) == words
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__


def test_json_that_is_not_json_is_refused_without_the_words_of_the_library() -> None:
    with pytest.raises(InvalidValue) as caught:
        Outer.model_validate_json("{")
    assert "pydantic" not in str(caught.value).lower()
    assert "https" not in str(caught.value)


def test_a_copy_with_changes_is_checked_like_a_new_instance() -> None:
    inner = Inner(count=1)
    assert inner.model_copy(update={"count": 2}).count == 2
    with pytest.raises(InvalidValue, match=r"Inner\.count was refused"):
        inner.model_copy(update={"count": 0})
    with pytest.raises(InvalidValue, match=r"Inner\.other was refused"):
        inner.model_copy(update={"other": 0})


def test_an_instance_cannot_be_changed_and_the_error_says_how_to_make_another() -> None:
    inner = Inner(count=1)
    with pytest.raises(
        InvalidValue, match=r"Inner is frozen: count was to be set\. Make a new one"
    ) as caught:
        inner.count = 2  # type: ignore[misc]
    assert "pydantic" not in str(caught.value)
    with pytest.raises(InvalidValue):
        del inner.count
    assert inner.count == 1


def test_what_was_found_is_shown_on_one_short_line() -> None:
    assert show("a\nb" * 100).count("\n") == 0
    assert len(show("x" * 1000)) == 60
