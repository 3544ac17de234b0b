from __future__ import annotations

import bdb
import sys
from dataclasses import dataclass
from types import ModuleType

import pytest

from forge.course.checking.check import check
from forge.course.checking.showing import compare, show
from forge.errors import ForgeModel


class Basket(ForgeModel):
    owner: str
    prices: list[int]
    total: int


@dataclass
class Price:
    amount: int
    currency: str = "EUR"


def target(value: int) -> Basket:
    """The function that the answers below stand in for."""
    return Basket(owner="Ada", prices=[value], total=value)


@pytest.fixture
def first_failure(tmp_path, monkeypatch):
    """The first failure of an answer in a test with the given body, as a reader sees it."""
    module = ModuleType("baskets")
    exec("def basket(value: int) -> Basket: return value", module.__dict__)
    module.Basket = Basket
    monkeypatch.setitem(sys.modules, "baskets", module)

    def run(answer, body):
        text = f"import pytest\nfrom baskets import Basket, basket\n\ndef test_it():\n    {body}\n"
        path = tmp_path / "test_baskets.py"
        path.write_text(text.replace("; ", "\n    "), encoding="utf-8")
        report = check("baskets:basket", answer, ["test_it"], module=path)
        assert report.verdict == "failed"
        return report.results[0]

    return run


UNUSABLE = "the test cannot use what the answer returned"


def said(result):
    return result.message, result.expected, result.found


ASSERTIONS = {
    "assert basket(1) == 2, 'a basket must be full'": ("a basket must be full", "2", "1"),
    "assert basket(1) == 2": ("basket(1) is wrong", "2", "1"),
    "total = basket(1); assert total > 3": ("this does not hold: total > 3", "> 3", "1"),
    "assert basket(1) in [2, 3]": ("this does not hold: basket(1) in [2, 3]", "1 in it", "[2, 3]"),
    "assert basket(1) is None, 'no basket'": ("no basket", "None", "1"),
    "assert not basket(1)": ("this does not hold: not basket(1)", "", ""),
    "assert basket(1) and basket(0)": ("this does not hold: basket(1) and basket(0)", "", ""),
    "assert isinstance(basket(1), str)": ("this does not hold: isinstance(basket(1), str)", "a str", "1"),
    "basket(1); raise AssertionError('a gap must be rejected')": ("a gap must be rejected", "", ""),
    "basket(1); pytest.fail('a gap must be rejected')": ("a gap must be rejected", "", ""),
    "with pytest.raises(ValueError): basket(1)": (
        "an error was expected and none was raised",
        "ValueError",
        "no error",
    ),
    "assert basket('the first step') == 'the last step'": (
        "basket('the first step') is wrong",
        "the last step",
        "the first step",
    ),
}


@pytest.mark.parametrize("body", ASSERTIONS)
def test_an_assertion_says_what_was_expected_and_found(first_failure, body):
    result = first_failure(lambda value: value, body)
    assert said(result) == ASSERTIONS[body]
    assert result.where == f"test_baskets.py:{5 + body.count('; ')}"


def test_an_error_with_other_words_says_which_were_expected(first_failure):
    def refuses(value):
        raise ValueError(f"no basket for {value}")

    result = first_failure(refuses, "with pytest.raises(ValueError, match='contiguous'): basket(1)")
    assert said(result) == (
        "the error says something else",
        "words that match 'contiguous'",
        "'no basket for 1'",
    )


def test_an_error_of_the_answer_names_its_line(first_failure):
    def looks_up(value):
        return {"a": 1}[value]  # the line

    result = first_failure(looks_up, "basket('b')")
    line = looks_up.__code__.co_firstlineno + 1
    assert result.message == "the answer raised KeyError: 'b'"
    assert result.answer == f'line {line}: return {{"a": 1}}[value] # the line'
    assert result.error_class == "KeyError"
    assert result.where == "test_baskets.py:5"


def test_an_error_that_the_test_caught_still_names_the_line_of_the_answer(first_failure):
    def looks_up(value):
        return {}[value]

    body = (
        "try: basket('b'); except KeyError as error: found = f'{type(error).__name__}: {error}'; "
        "assert found == 'b'"
    )
    result = first_failure(looks_up, body)
    assert said(result) == ("found is wrong", "'b'", "KeyError: 'b'")
    assert result.answer == f"line {looks_up.__code__.co_firstlineno + 1}: return {{}}[value]"


def test_an_error_raised_by_forge_inside_the_answer_names_the_line_of_the_answer(first_failure):
    def builds(value):
        return Basket(owner="Ada", prices=[], total="1")

    result = first_failure(builds, "basket(1)")
    assert result.message == (
        "the answer raised InvalidValue: Basket.total was refused: expected a whole number, found '1'."
    )
    assert result.answer.startswith(f"line {builds.__code__.co_firstlineno + 1}: ")


def test_a_forgotten_return_is_suspected(first_failure):
    def forgets(value):
        target(value)

    result = first_failure(forgets, "basket(1).total")
    assert result.message.startswith(
        "the test cannot use what the answer returned: AttributeError: 'NoneType'"
    )
    assert (result.expected, result.found) == ("Basket", "None: is a return missing?")


def test_a_debugger_that_was_imported_before_is_told(first_failure):
    def debugs(value):
        raise bdb.BdbQuit  # what the end of its input makes of it

    result = first_failure(debugs, "basket(1)")
    assert result.message == "the answer starts a debugger: nobody can be asked during a check"


def test_what_the_test_cannot_use_is_shown(first_failure):
    result = first_failure(lambda value: {"total": value}, "basket(1).total")
    assert result.message.startswith(f"{UNUSABLE}: AttributeError: 'dict'")
    assert (result.expected, result.found) == ("Basket", "{'total': 1}")


def test_other_parameters_are_shown_beside_those_of_the_function(first_failure):
    def basket(value, owner, *, full=False):
        return value

    result = first_failure(basket, "basket(1)")
    assert said(result) == (
        "the parameters do not fit",
        "basket(value)",
        "basket(value, owner, *, full=False)",
    )


def test_an_answer_that_calls_itself_without_end_is_told_so(first_failure):
    def again(value):
        return again(value + 1)

    assert said(first_failure(again, "basket(1)")) == ("the answer calls itself without end", "", "")


def test_of_two_records_only_what_differs_is_shown():
    one = Basket(owner="Ada", prices=[1], total=1)
    compared = compare("==", one.model_copy(update={"total": 2}), one)
    assert (compared.expected, compared.found) == ("total: 1", "total: 2")
    compared = compare("==", Price(1), Price(2))
    assert (compared.expected, compared.found) == ("amount: 2", "amount: 1")
    compared = compare("==", {"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 3, "d": 3})
    assert (compared.expected, compared.found) == ("b: 3, d: 3, no c", "b: 2, no d, c: 3")


def test_two_records_that_differ_throughout_are_shown_whole():
    compared = compare("==", {"a": 1}, {"b": 1})
    assert (compared.expected, compared.found) == ("{'b': 1}", "{'a': 1}")


def test_a_value_is_shown_in_one_line_and_the_same_every_time():
    assert show("the last step") == "the last step"
    assert show("step") == "'step'"
    assert show(" padded text ") == "' padded text '"
    assert show("two\nlines here") == "'two\\nlines here'"
    assert show({"b", "a"}) == "{'a', 'b'}"
    assert show(object()) == "<object object at 0x…>"
    assert len(show("x" * 10_000)) <= 202
    assert len(show(list(range(10_000)))) <= 200
