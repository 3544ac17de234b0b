"""What is said in a conversation: messages made of content blocks, whichever provider they came from.

The loop reads blocks and nothing else. A provider's own words for why it stopped are kept as a fact in the
transcript, and nothing is decided by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator

from ..chain import FrozenDict, freeze, refuse
from ..errors import ForgeModel
from ..wording import show


def _frozen_input(value: Any) -> FrozenDict:
    if not isinstance(value, Mapping):
        refuse("input", "a mapping with text keys", show(value))
    frozen: FrozenDict = freeze(dict(value), "input")
    return frozen


class TextBlock(ForgeModel):
    """Text that is said."""

    type: Literal["text"] = "text"
    text: str


class ToolUseBlock(ForgeModel):
    """A tool that the model asks for. `id` names this one call, and is its idempotency key."""

    type: Literal["tool_use"] = "tool_use"
    id: str = Field(min_length=1)
    name: str = Field(min_length=1)
    input: Annotated[dict[str, Any], PlainValidator(_frozen_input)] = Field(default_factory=dict)


class ToolResultBlock(ForgeModel):
    """What a call gave: `content` is text; with `is_error` it says why there is no result."""

    type: Literal["tool_result"] = "tool_result"
    tool_use_id: str = Field(min_length=1)
    content: str
    is_error: bool = False


Block = TextBlock | ToolUseBlock | ToolResultBlock
"""One content block."""

Role = Literal["user", "assistant"]


class Message(ForgeModel):
    """One message: who says it, and its blocks, of which there is at least one."""

    role: Role
    blocks: tuple[Annotated[Block, Field(discriminator="type")], ...] = Field(min_length=1)

    @property
    def text(self) -> str:
        """All its text blocks, one after the other."""
        return "".join(block.text for block in self.blocks if isinstance(block, TextBlock))

    @property
    def tool_uses(self) -> tuple[ToolUseBlock, ...]:
        """The tools it asks for, in order."""
        return tuple(block for block in self.blocks if isinstance(block, ToolUseBlock))

    @property
    def tool_results(self) -> tuple[ToolResultBlock, ...]:
        """The results it brings, in order."""
        return tuple(block for block in self.blocks if isinstance(block, ToolResultBlock))

    def to_json(self) -> dict[str, Any]:
        """The message as plain JSON values; `message_from_json` gives an equal one back."""
        return {"role": self.role, "blocks": [dict(block) for block in self.blocks]}


def message_from_json(value: Any) -> Message:
    """The message that plain JSON values describe, or `InvalidValue` with the path of what is wrong."""
    if isinstance(value, Mapping) and isinstance(blocks := value.get("blocks"), (list, tuple)):
        value = {**value, "blocks": tuple(blocks)}
    return Message.model_validate(value)


def user(text: str) -> Message:
    """A message in which the user says `text`."""
    return Message(role="user", blocks=(TextBlock(text=text),))


def assistant(*blocks: Block | str) -> Message:
    """A message of the model; a text stands for its `TextBlock`."""
    said = (TextBlock(text=block) if isinstance(block, str) else block for block in blocks)
    return Message(role="assistant", blocks=tuple(said))


def results(blocks: Iterable[ToolResultBlock]) -> Message:
    """The message that brings tool results back to the model."""
    return Message(role="user", blocks=tuple(blocks))
