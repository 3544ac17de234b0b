"""Going on with a session: what was said is read back, and a call without a result is settled, never redone.

Between a call and its record the process may have died. Then nobody here knows whether the call took effect.
A tool that keeps the keys of its calls is asked; for any other the model is told that the outcome is unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .deferred import EXECUTE, SEARCH
from .messages import Message, ToolResultBlock, ToolUseBlock
from .permissions import Answer, Asked, Grant
from .tools import ToolRegistry, failed
from .transcript import Entry, Kind, Transcript, open_calls

if TYPE_CHECKING:
    from .harness import Harness


def go_on(harness: Harness, transcript: Transcript) -> int:
    """Bring a session back into the harness from its transcript, and return how often it was opened."""
    torn = transcript.repair()  # a line that was cut was never answered for: nothing follows from it
    entries = transcript.read()
    opened = {"agent": harness.agent, "task": harness.task, "set_aside": torn.bytes if torn else 0}
    transcript.append(Kind.SESSION_OPENED, opened)
    harness.messages[:] = transcript.messages()
    harness.permissions.grants += grants(entries, transcript.session_id)
    if harness.deferred is not None:
        find_again(harness.messages, harness.deferred.search)
    calls = open_calls(harness.messages)
    for call in calls:
        transcript.append_result(settle(call, harness.registry))
    if calls:
        harness.messages[:] = transcript.messages()
    return 1 + sum(entry.event.kind is Kind.SESSION_OPENED for entry in entries)


def settle(call: ToolUseBlock, registry: ToolRegistry) -> ToolResultBlock:
    """What is said of a call whose result is missing; it is not made again."""
    name = call.input.get("name") if call.name == EXECUTE else call.name
    tool = registry.get(name) if isinstance(name, str) else None
    if tool is not None and tool.outcome is not None:
        outcome = tool.outcome(call.id)
        if outcome is not None:
            return ToolResultBlock(tool_use_id=call.id, content=outcome)
        return failed(call, "stopped before it took effect. Call it again if it is still wanted.")
    if tool is not None and not tool.writes:
        return failed(call, "stopped before its result was kept. It only reads: call it again.")
    return failed(
        call, "outcome unknown: stopped between the call and its record. Look before you repeat it."
    )


def approval(call_id: str, asked: Asked, answer: Answer) -> dict[str, Any]:
    """A user's answer as the transcript keeps it."""
    return {
        "call_id": call_id,
        "allowed": answer.allowed,
        "pattern": answer.pattern,
        "agent": asked.agent,
        "tool": asked.tool,
        "subject": asked.subject,
    }


def grants(entries: list[Entry], session_id: str) -> list[Grant]:
    """The grants that a user gave in this session, from the answers on record."""
    given = [entry.event.data for entry in entries if entry.event.kind is Kind.APPROVAL]
    return [
        Grant(session_id=session_id, agent=data["agent"], tool=data["tool"], pattern=data["pattern"])
        for data in given
        if data["allowed"] is True and data["pattern"]
    ]


def find_again(messages: list[Message], search: Callable[[str], object]) -> None:
    """Repeat the searches that found deferred tools, so that what was found stays found."""
    for message in messages:
        for call in message.tool_uses:
            if call.name == SEARCH and isinstance(query := call.input.get("query"), str) and query.strip():
                search(query)
