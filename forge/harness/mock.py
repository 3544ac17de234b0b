"""The model that the course uses: deterministic, offline, and streaming like a real one.

It speaks what it is told to speak. Its first turn in `contradicting` contradicts itself on purpose: the
blocks ask for a tool while the stop reason says that the turn is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..chain import canonical, sha256
from ..errors import ProviderFailed
from .messages import Block, Message, TextBlock, ToolUseBlock
from .streaming import CallStart, End, InputPiece, Piece, Reply, Request, TextPiece, Usage

Script = Callable[[Request, int], Reply]
"""Given the request and the number of the call, from 1, the reply."""

_PIECE = 12  # characters of a streamed piece


class MockProvider:
    """A provider that answers from a script: a function, or replies to be given one after the other."""

    name = "mock"

    def __init__(self, script: Script | Iterable[Reply]) -> None:
        self._script = script if callable(script) else _in_turn(list(script))
        self.calls = 0

    def stream(self, request: Request) -> Iterator[Piece]:
        """The scripted reply in pieces of a few characters."""
        self.calls += 1
        reply = self._script(request, self.calls)
        for block in reply.blocks:
            match block:
                case TextBlock(text=text):
                    yield from (TextPiece(text[at : at + _PIECE]) for at in range(0, len(text), _PIECE))
                case ToolUseBlock(id=call_id, name=name, input=given):
                    yield CallStart(call_id, name)
                    json = canonical(given).decode()
                    yield from (InputPiece(json[at : at + _PIECE]) for at in range(0, len(json), _PIECE))
        written = sum(len(canonical(dict(block))) for block in reply.blocks) // 4
        sent = reply.usage.input_tokens or len(request.system) // 4
        yield End(reply.stop_reason, Usage(sent, reply.usage.output_tokens or written))


def _in_turn(replies: Sequence[Reply]) -> Script:
    def reply(_request: Request, number: int) -> Reply:
        if number > len(replies):
            raise ProviderFailed(
                "the script is over",
                f"it has {len(replies)} replies, this is call {number}.",
                provider="mock",
            )
        return replies[number - 1]

    return reply


def says(*blocks: Block | str, stop_reason: str = "end_turn") -> Reply:
    """A reply with these blocks; a text stands for its block."""
    made = tuple(TextBlock(text=block) if isinstance(block, str) else block for block in blocks)
    return Reply(made, stop_reason)


def calls(call_id: str, tool: str, /, stop_reason: str = "tool_use", **given: Any) -> Reply:
    """A reply that asks for one tool."""
    return says(ToolUseBlock(id=call_id, name=tool, input=given), stop_reason=stop_reason)


def contradicting(tool: str = "list_files", /, final: str = "Done.", **given: Any) -> list[Reply]:
    """Two turns whose stop reasons both say the opposite of what their blocks do."""
    return [calls("call-1", tool, stop_reason="end_turn", **given), says(final, stop_reason="tool_use")]


def echo(request: Request, _number: int) -> Reply:
    """A script that repeats the last thing said, for conversations of any length."""
    last: Message = request.messages[-1]
    return says(f"You said: {last.text[:200]}")


_SVG = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 60 30' role='img' aria-label='two bars'>"
    "<rect x='5' y='10' width='20' height='20'/><rect x='35' y='2' width='20' height='28'/></svg>"
)


def demo(request: Request, _number: int) -> Reply:
    """A script for trying out: “list”, “read NAME”, “write NAME” call a tool; “draw” gives a picture."""
    last: Message = request.messages[-1]
    if last.tool_results:
        return says("\n".join(result.content for result in last.tool_results))
    verb, _, rest = last.text.strip().partition(" ")
    seen = canonical([len(request.messages), *(message.to_json() for message in request.messages[-3:])])
    call_id = f"call-{sha256(seen)[:12]}"
    match verb.lower():
        case "list":
            return calls(call_id, "list_files")
        case "read":
            return calls(call_id, "read_file", path=rest)
        case "write":
            return calls(call_id, "write_file", path=rest, text="written by the demo\n")
        case "draw":
            return says(f"Here it is. {_SVG}")
        case _:
            return echo(request, _number)
