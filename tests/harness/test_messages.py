"""Messages and their content blocks."""

import json

import pytest

from forge.errors import InvalidValue
from forge.harness.messages import (
    Message,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    assistant,
    message_from_json,
    results,
    user,
)

CONVERSATION = [
    user("List the files of “Herbst 秋”."),
    assistant("Looking.", ToolUseBlock(id="c1", name="list_files", input={"path": ".", "deep": [1, None]})),
    results([ToolResultBlock(tool_use_id="c1", content="", is_error=True)]),
]


@pytest.mark.parametrize("message", CONVERSATION)
def test_a_message_comes_back_equal_from_plain_json(message):
    assert message_from_json(json.loads(json.dumps(message.to_json()))) == message


def test_the_blocks_of_a_kind_are_found_in_order():
    message = assistant("a", ToolUseBlock(id="1", name="x"), "b", ToolUseBlock(id="2", name="y"))
    assert message.text == "ab"
    assert [call.id for call in message.tool_uses] == ["1", "2"]
    assert message.tool_results == ()


def test_the_input_of_a_call_cannot_be_changed_at_any_depth():
    call = ToolUseBlock(id="c1", name="write_file", input={"paths": ["a"]})
    with pytest.raises(TypeError, match="frozen"):
        call.input["paths"].append("b")
    with pytest.raises(InvalidValue, match="frozen"):
        call.name = "list_files"


def call_with(given):
    return {"type": "tool_use", "id": "1", "name": "x", "input": given}


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({"role": "system", "blocks": [{"type": "text", "text": "x"}]}, "Message.role"),
        ({"role": "user", "blocks": []}, "Message.blocks"),
        ({"role": "user", "blocks": [{"type": "image", "text": "x"}]}, r"Message.blocks\[0\]"),
        ({"role": "user", "blocks": [{"type": "text", "text": "x", "extra": 1}]}, "extra"),
        ({"role": "user", "blocks": [{"type": "tool_use", "id": "", "name": "x"}]}, "id"),
        ({"role": "user", "blocks": [call_with({"a": float("nan")})]}, "input.a"),
        ({"role": "user", "blocks": [call_with([1])]}, "input"),
        ("hello", "Message"),
    ],
)
def test_what_is_no_message_is_refused_with_its_path(value, where):
    with pytest.raises(InvalidValue, match=where):
        message_from_json(value)


def test_blocks_of_a_message_are_a_tuple_of_the_three_kinds():
    assert isinstance(Message(role="user", blocks=(TextBlock(text="x"),)).blocks, tuple)
