"""What goes to a model and what comes back, piece by piece, whichever provider is behind it.

A provider streams pieces; `collect` makes one `Reply` of normalised blocks from them. `stop_reason` is kept
as the provider said it, and nothing here or in the loop is decided by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from ..chain import parse
from ..errors import InvalidValue, ProviderFailed
from ..wording import show
from .messages import Block, Message, TextBlock, ToolUseBlock


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model. `tools` are descriptions: name, description, input_schema."""

    model: str
    system: str
    messages: Sequence[Message]
    tools: Sequence[Mapping[str, Any]] = ()
    max_tokens: int = 4096


class Usage(NamedTuple):
    """Tokens of one call: those that were sent, and those that were written."""

    input_tokens: int = 0
    output_tokens: int = 0


class TextPiece(NamedTuple):
    """The next characters of a text."""

    text: str


class CallStart(NamedTuple):
    """A tool call begins; the JSON of its input follows in pieces."""

    id: str
    name: str


class InputPiece(NamedTuple):
    """The next characters of the JSON of the input of the call that began last."""

    json: str


class End(NamedTuple):
    """The reply is complete."""

    stop_reason: str
    usage: Usage = Usage()


Piece = TextPiece | CallStart | InputPiece | End


class Provider(Protocol):
    """A model, or what stands for one."""

    name: str

    def stream(self, request: Request) -> Iterator[Piece]:
        """The reply in pieces, of which the last is `End`. `ProviderFailed` when there is none."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete reply: its blocks, what the provider called its end, and its tokens."""

    blocks: tuple[Block, ...]
    stop_reason: str
    usage: Usage = field(default_factory=Usage)


class _Call:
    def __init__(self, start: CallStart) -> None:
        self.start, self.json = start, ""

    def block(self) -> ToolUseBlock:
        try:
            given = parse(self.json.encode("utf-8", "surrogatepass")) if self.json.strip() else {}
            return ToolUseBlock(id=self.start.id, name=self.start.name, input=given)
        except InvalidValue as error:
            raise ProviderFailed(
                "a reply cannot be used",
                f"the input of a call to {show(self.start.name)} is no mapping: {error}",
                "Ask again.",
            ) from error


def collect(pieces: Iterable[Piece], *, show_text: Callable[[str], object] | None = None) -> Reply:
    """The reply that the pieces make; `show_text` is called with each piece of text as it comes.

    `ProviderFailed` for a stream that stops before its end, so half an answer is never taken for one, for
    an input that is no JSON object, and for a reply without any block.
    """
    found: list[TextBlock | _Call] = []
    for piece in pieces:
        match piece:
            case TextPiece(text):
                if show_text is not None:
                    show_text(text)
                if found and isinstance(found[-1], TextBlock):
                    text = found.pop().text + text  # type: ignore[union-attr]
                found.append(TextBlock(text=text))
            case CallStart():
                found.append(_Call(piece))
            case InputPiece(json):
                if not found or isinstance(found[-1], TextBlock):
                    raise ProviderFailed(
                        "a reply cannot be used", "an input came before its call.", "Ask again."
                    )
                found[-1].json += json
            case End(stop_reason, usage):
                return Reply(_blocks(found), stop_reason, usage)
    raise ProviderFailed("a reply stopped before its end", "the stream ended early.", "Ask again.")


def _blocks(found: Sequence[TextBlock | _Call]) -> tuple[Block, ...]:
    blocks = [item.block() if isinstance(item, _Call) else item for item in found]
    blocks = [block for block in blocks if not isinstance(block, TextBlock) or block.text]
    ids = [block.id for block in blocks if isinstance(block, ToolUseBlock)]
    if not blocks or len(set(ids)) < len(ids):
        what = "it has no content" if not blocks else f"two of its calls have one id: {', '.join(ids)}"
        raise ProviderFailed("a reply cannot be used", f"{what}.", "Ask again.")
    return tuple(blocks)
