"""Mechanism 1: the loop is driven by blocks and by nothing else."""

import pytest

from forge.errors import ProviderFailed, TurnLimit
from forge.harness.loop import run_loop
from forge.harness.messages import ToolResultBlock, ToolUseBlock, user
from forge.harness.mock import MockProvider, calls, contradicting, echo, says
from forge.harness.streaming import CallStart, End, InputPiece, Request, TextPiece, Usage, collect


def run(provider, act=None, **options):
    messages, made = [user("go")], []

    def do(call):
        made.append(call)
        return act(call) if act else ToolResultBlock(tool_use_id=call.id, content="ok")

    def ask(said):
        return collect(provider.stream(Request("m", "", said)))

    return run_loop(messages, ask, do, **options), messages, made


def test_a_turn_whose_stop_reason_contradicts_its_blocks_is_judged_by_its_blocks():
    final, messages, made = run(MockProvider(contradicting(path=".")))
    assert [call.name for call in made] == ["list_files"]
    assert final.text == "Done."
    assert [message.role for message in messages] == ["user", "assistant", "user", "assistant"]


@pytest.mark.parametrize("reason", ["end_turn", "tool_use", "max_tokens", "refusal", ""])
def test_no_stop_reason_starts_or_stops_the_loop(reason):
    script = [calls("c1", "list_files", stop_reason=reason), says("over", stop_reason=reason)]
    final, _, made = run(MockProvider(script))
    assert (final.text, len(made)) == ("over", 1)


def test_every_call_of_a_turn_is_made_in_order_and_answered_in_one_message():
    both = says(ToolUseBlock(id="a", name="x"), "and", ToolUseBlock(id="b", name="y"))
    _, messages, made = run(MockProvider([both, says("over")]))
    assert [call.id for call in made] == ["a", "b"]
    assert [result.tool_use_id for result in messages[2].tool_results] == ["a", "b"]


def test_a_call_is_on_record_before_it_is_made():
    kept, at_call = [], []
    run(
        MockProvider(contradicting()),
        lambda call: at_call.append(len(kept)) or ToolResultBlock(tool_use_id=call.id, content=""),
        keep=kept.append,
    )
    assert at_call == [1]
    assert kept[0].tool_uses[0].id == "call-1"


def test_a_message_that_cannot_be_kept_is_not_in_the_conversation():
    def refuses(_message):
        raise OSError("the disk is full")

    messages = [user("go")]
    with pytest.raises(OSError, match="full"):
        run_loop(messages, lambda _: says("hello"), lambda _: None, keep=refuses)
    assert messages == [user("go")]


def test_a_model_that_never_stops_is_stopped_and_its_last_call_is_answered_but_not_made():
    messages, made = [user("go")], []

    def act(call):
        made.append(call.id)
        return ToolResultBlock(tool_use_id=call.id, content="ok")

    numbers = iter(range(10))
    with pytest.raises(TurnLimit, match="each of 3 turns"):
        run_loop(messages, lambda _: calls(f"c{next(numbers)}", "x"), act, limit=3)
    assert made == ["c0", "c1"]
    assert messages[-1].tool_results[0].is_error


def test_the_mock_streams_pieces_that_make_the_scripted_reply():
    reply = says("a text longer than one piece", ToolUseBlock(id="c", name="x", input={"q": "ä 秋" * 9}))
    pieces = list(MockProvider([reply]).stream(Request("m", "", [])))
    assert len(pieces) > 6
    assert collect(pieces).blocks == reply.blocks


def test_the_mock_says_the_same_twice():
    def streamed():
        return list(MockProvider(echo).stream(Request("m", "s", [user("hello")])))

    assert streamed() == streamed()


def test_text_is_shown_as_it_comes():
    shown = []
    collect([TextPiece("a"), TextPiece("b"), End("end_turn")], show_text=shown.append)
    assert shown == ["a", "b"]


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ([TextPiece("half an ans")], "stopped before its end"),
        ([], "stopped before its end"),
        ([End("end_turn")], "no content"),
        ([TextPiece(""), End("end_turn")], "no content"),
        ([InputPiece("{}"), End("x")], "before its call"),
        ([CallStart("c", "x"), InputPiece('{"a":'), End("x")], "no mapping"),
        ([CallStart("c", "x"), InputPiece("[1]"), End("x")], "no mapping"),
        ([CallStart("c", "x"), InputPiece('{"w":false,"w":true}'), End("x")], "no mapping"),
        ([CallStart("c", "x"), CallStart("c", "y"), End("x")], "one id"),
    ],
)
def test_half_a_reply_is_never_taken_for_one(pieces, words):
    with pytest.raises(ProviderFailed, match=words):
        collect(pieces)


def test_a_call_without_an_input_has_an_empty_one():
    reply = collect([CallStart("c", "x"), End("tool_use", Usage(1, 2))])
    assert reply.blocks[0].input == {}
    assert reply.usage == (1, 2)
