"""Mechanisms 2 and 3: tools and deferred tools."""

import json

import pytest

from forge.errors import InvalidValue
from forge.harness.deferred import EXECUTE, SEARCH, DeferredTools
from forge.harness.messages import ToolResultBlock, ToolUseBlock
from forge.harness.tools import Tool, ToolRegistry


def call(tool, /, **given):
    return ToolUseBlock(id="c1", name=tool, input=given)


ADD = Tool(
    "add", "Add two numbers.", lambda a, b: str(a + b), {"a": "integer", "b": "integer"}, frozenset("b")
)


def test_a_tool_is_added_without_a_change_to_anything_else():
    registry = ToolRegistry([ADD])
    registry.add(Tool("hello", "Greet.", lambda: "hello"))
    assert registry.dispatch(call("hello")).content == "hello"
    assert registry.dispatch(call("add", a=1, b=2)).content == "3"


def test_a_name_is_given_once():
    with pytest.raises(InvalidValue, match="named once"):
        ToolRegistry([ADD, ADD])


def test_a_subject_is_a_field_or_no_rule_for_it_would_ever_fit():
    with pytest.raises(InvalidValue) as caught:
        Tool("lend", "Lend a book.", lambda book: book, {"book": "string"}, writes=True, subject="title")
    assert str(caught.value) == "lend.subject was refused: expected one of the fields book, found 'title'."


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "add.a was refused: expected a field of type integer, found nothing"),
        ({"a": "1", "b": 2}, "add.a was refused: expected a field of type integer, found '1'"),
        ({"a": True, "b": 2}, "add.a was refused"),
        ({"a": 1, "b": 2, "c": 3}, "add.c was refused: expected one of the fields a, b"),
    ],
)
def test_a_wrong_input_is_a_result_that_says_what_is_wrong(given, words):
    result = ToolRegistry([ADD]).dispatch(call("add", **given))
    assert result.is_error
    assert words in result.content


def test_an_unknown_tool_is_a_result_that_names_the_known_ones():
    result = ToolRegistry([ADD]).dispatch(call("sub"))
    assert result.is_error
    assert result.content == "no tool is called 'sub'. There are: add."


def test_whatever_a_tool_raises_is_its_result_and_no_traceback():
    def breaks():
        raise ZeroDivisionError("by\nzero \ud800")

    result = ToolRegistry([Tool("t", "", breaks)]).dispatch(call("t"))
    assert (result.is_error, result.content) == (True, "ZeroDivisionError: by zero \\ud800")


def test_a_result_that_is_no_text_is_an_error_of_the_tool():
    result = ToolRegistry([Tool("t", "", lambda: 3)]).dispatch(call("t"))
    assert result.is_error


def test_a_model_is_told_names_fields_and_which_are_needed():
    [told] = ToolRegistry([ADD]).describe()
    assert told["input_schema"]["required"] == ["a"]
    assert told["input_schema"]["properties"]["b"] == {"type": "integer"}


@pytest.fixture
def deferred():
    registry = ToolRegistry([ADD])
    for name, told in [
        ("send_mail", "Send a letter."),
        ("read_mail", "Read letters."),
        ("draw", "Draw a bar chart."),
    ]:
        registry.add(
            Tool(
                name,
                told,
                lambda text="": f"done {text}",
                {"text": "string"},
                frozenset({"text"}),
                deferred=True,
            )
        )
    return registry, DeferredTools(registry)


def test_a_deferred_tool_is_not_told_of_until_it_is_searched_for(deferred):
    registry, _ = deferred
    assert [told["name"] for told in registry.describe()] == ["add", SEARCH, EXECUTE]
    found = json.loads(registry.dispatch(call(SEARCH, query="mail")).content)
    assert [told["name"] for told in found] == ["read_mail", "send_mail"]


def test_a_tool_is_executed_only_after_a_search_has_found_it(deferred):
    registry, tools = deferred
    before = tools.unwrap(call(EXECUTE, name="draw", input={}))
    assert isinstance(before, ToolResultBlock)
    assert "search" in before.content
    assert isinstance(tools.unwrap(call("draw")), ToolResultBlock)
    tools.search("bar chart")
    inner = tools.unwrap(call(EXECUTE, name="draw", input={"text": "x"}))
    assert (inner.id, inner.name, inner.input) == ("c1", "draw", {"text": "x"})
    assert registry.dispatch(inner).content == "done x"


def test_what_is_executed_through_the_outer_tool_is_called_by_its_own_name(deferred):
    _, tools = deferred
    tools.search("mail")
    assert tools.unwrap(call(EXECUTE, name="send_mail", input={})).name == "send_mail"


@pytest.mark.parametrize(
    "given", [{"name": "add", "input": {}}, {"name": "no", "input": {}}, {"name": 3}, {}]
)
def test_the_outer_tool_executes_deferred_tools_only(deferred, given):
    _, tools = deferred
    assert isinstance(tools.unwrap(call(EXECUTE, **given)), ToolResultBlock)


def test_a_call_of_the_outer_tool_that_was_not_unwrapped_executes_nothing(deferred):
    registry, tools = deferred
    tools.search("mail")
    result = registry.dispatch(call(EXECUTE, name="send_mail", input={}))
    assert result.is_error
    assert "without its permission" in result.content


@pytest.mark.parametrize("query", ["", "  !? "])
def test_a_search_needs_a_word(deferred, query):
    registry, _ = deferred
    assert registry.dispatch(call(SEARCH, query=query)).is_error
