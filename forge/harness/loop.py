"""Mechanism 1: the loop. It asks, does what the blocks ask for, and brings the results back.

It is driven by the blocks of a reply. A reply that says "end_turn" and asks for a tool goes on; one that
says "tool_use" and asks for none is over. Everything else a harness does stands around these lines, in what
is given as `ask`, `act` and `keep`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import TurnLimit
from .messages import Message, ToolResultBlock, ToolUseBlock, assistant, results
from .streaming import Reply

Ask = Callable[[Sequence[Message]], Reply]
Act = Callable[[ToolUseBlock], ToolResultBlock]
Keep = Callable[[Message], object]


def run_loop(
    messages: list[Message], ask: Ask, act: Act, *, keep: Keep = lambda _: None, limit: int = 50
) -> Message:
    """The final message, after as many turns as the model wants, at most `limit`.

    `messages` grows by what is said. `keep` is given every new message before anything follows from it: a
    call is on record before it is made. `TurnLimit` when the last allowed turn still asks for a tool; its
    calls are not made, and each has a result that says so, so the conversation can be gone on with.
    """
    for turn in range(1, limit + 1):
        reply = ask(messages)
        said = assistant(*reply.blocks)
        _add(messages, said, keep)
        calls = said.tool_uses
        if not calls:
            return said
        if turn == limit:
            _add(messages, results(_not_made(call, limit) for call in calls), keep)
            break
        _add(messages, results([act(call) for call in calls]), keep)
    raise TurnLimit(
        "the loop has reached its limit",
        f"the model asked for tools in each of {limit} turns.",
        "Look at the last calls in the transcript, then go on with a new message or a higher limit.",
        turns=limit,
    )


def _add(messages: list[Message], message: Message, keep: Keep) -> None:
    keep(message)
    messages.append(message)


def _not_made(call: ToolUseBlock, limit: int) -> ToolResultBlock:
    text = f"not called: the limit of {limit} turns was reached."
    return ToolResultBlock(tool_use_id=call.id, content=text, is_error=True)
