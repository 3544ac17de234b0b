"""Where a conversation may be cut: never between a call and its result.

A unit is a run of messages that stands or falls together: one message, or a message that calls tools with
everything up to the last of their results. A call without a result keeps all that follows it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import CompactionRefused
from ..wording import show
from .messages import Message


def unit_starts(messages: Sequence[Message]) -> list[int]:
    """The places where a unit begins, of which the first is 0.

    `CompactionRefused` for a result whose call does not stand before it: that pair is split already.
    """
    starts: list[int] = []
    waiting: set[str] = set()
    for place, message in enumerate(messages):
        if not waiting:
            starts.append(place)
        for result in message.tool_results:
            if result.tool_use_id not in waiting:
                raise CompactionRefused(
                    "a call and its result are separated",
                    f"message {place + 1} brings {show(result.tool_use_id)}, whose call is not before it.",
                    "Read the conversation again from its transcript.",
                    place=place,
                    tool_use_id=result.tool_use_id,
                )
            waiting.discard(result.tool_use_id)
        waiting |= {call.id for call in message.tool_uses}
    return starts


def unit_ends(messages: Sequence[Message]) -> list[int]:
    """The place behind each unit that is complete: there a conversation may be cut."""
    starts = unit_starts(messages)
    return starts[1:] + ([] if waiting_calls(messages) or not messages else [len(messages)])


def waiting_calls(messages: Sequence[Message]) -> set[str]:
    """The ids of the calls whose result is still to come at the end."""
    waiting: set[str] = set()
    for message in messages:
        waiting -= {result.tool_use_id for result in message.tool_results}
        waiting |= {call.id for call in message.tool_uses}
    return waiting
