"""How a task of the ablation board is run: one session in a folder of its own, and what was seen of it.

Nothing here knows what should come out. An outcome is read from what was done, kept or sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..harness import Harness
from ..messages import Message
from ..mock import MockProvider, says
from ..streaming import Reply, Request
from ..transcript import Kind, TranscriptEvent

Off = frozenset[str]


class Outcome(NamedTuple):
    """What came of a task: whether well, what was seen, and what happened, as kinds of events with texts."""

    well: bool
    seen: str
    events: tuple[tuple[str, str], ...] = ()


Run = Callable[[Path, Off], Outcome]
"""Runs a task in an empty folder, with these mechanisms switched off."""


class Session:
    """A session on the mock, which keeps every request that was sent to the model."""

    def __init__(self, folder: Path, off: Off, *replies: Reply, name: str = "monday", **options: Any) -> None:
        self.requests: list[Request] = []
        self._replies = list(replies)
        folder.mkdir(parents=True, exist_ok=True)
        self.harness = Harness(folder, name, MockProvider(self._reply), off=off, **options)

    def send(self, text: str = "go on") -> Session:
        """Send a message of the user's, and go on until the model is done."""
        self.harness.send(text)
        return self

    def close(self) -> Session:
        """End the session."""
        self.harness.close()
        return self

    @property
    def result(self) -> str:
        """The text of the last result of a tool."""
        found = [result.content for said in self.harness.messages for result in said.tool_results]
        return found[-1] if found else ""

    @property
    def answer(self) -> str:
        """The first sentence of the last result."""
        return self.result.partition(". ")[0].rstrip(".")

    def outcome(self, well: bool, seen: str) -> Outcome:
        """The outcome of this session, with its events from the transcript, or from the messages."""
        transcript = self.harness.transcript
        if transcript is None:
            events = [(_kind(message), _text(message)) for message in self.harness.messages]
        else:
            events = [_event(entry.event) for entry in transcript.entries()]
        self.close()
        return Outcome(well, seen, tuple(events))

    def _reply(self, request: Request, _number: int) -> Reply:
        self.requests.append(request)
        return self._replies.pop(0) if self._replies else says("Done.")


def count(things: Sequence[object] | int, one: str, many: str = "") -> str:
    """How many there are, in words: `1 tool`, `2 tools`."""
    number = things if isinstance(things, int) else len(things)
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _event(event: TranscriptEvent) -> tuple[str, str]:
    data = event.data
    match event.kind:
        case Kind.MESSAGE:
            calls = [block["name"] for block in data["blocks"] if block["type"] == "tool_use"]
            said = "".join(block["text"] for block in data["blocks"] if block["type"] == "text")
            return ("tool_use", ", ".join(calls)) if calls else (f"{data['role']} says", _short(said))
        case Kind.TOOL_RESULT:
            return "tool_result", _short(str(data["content"]))
        case Kind.PRESENTED:
            return "presented", str(data["path"])
        case Kind.MEMORY_SELECTED:
            return "memory selected", count(data["selected_ids"], "fact")
        case _:
            return event.kind.value, ""


def _kind(message: Message) -> str:
    if message.tool_results:
        return "tool_result"
    return "tool_use" if message.tool_uses else f"{message.role} says"


def _text(message: Message) -> str:
    texts = [*(call.name for call in message.tool_uses), *(done.content for done in message.tool_results)]
    return _short(" ".join(texts) or message.text)


def _short(text: str, most: int = 90) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"
