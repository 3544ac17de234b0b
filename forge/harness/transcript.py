"""Mechanism 9: the transcript of one session, line by line, a typed view of `ChainLog`.

A message is on disk before anything follows from it, and each result as soon as it is there. So a call whose
result is missing was perhaps made: `open_calls` names it, and whoever goes on finds out what it came to and
never makes it again unasked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from ..chain import refuse
from ..errors import ForgeModel, LogError, TornTail
from ..history import History
from ..instants import instant
from ..log import Anchor, ChainLog, Record, Repair
from ..storage import REAL_DISK, Disk
from ..wording import show
from .messages import Message, ToolResultBlock, ToolUseBlock, message_from_json, results
from .sandbox import OWN


class Kind(StrEnum):
    """What a transcript holds."""

    SESSION_OPENED = "session_opened"
    MESSAGE = "message"
    TOOL_RESULT = "tool_result"
    APPROVAL = "approval"
    RECALL_RESULT = "recall_result"
    MEMORY_SELECTED = "memory_context_selected"
    COMPACTION = "compaction"
    PRESENTED = "presented"


class TranscriptEvent(ForgeModel):
    """One event of a session. `at` is in microseconds since 1970, for people; order is by number alone."""

    kind: Annotated[Kind, Field(strict=False)]
    session_id: str = Field(min_length=1)
    at: int
    data: dict[str, Any] = Field(default_factory=dict)


class Entry(NamedTuple):
    """An event with its number, from 1, and the hash of its record."""

    number: int
    event: TranscriptEvent
    record_hash: str


class TranscriptState(ForgeModel):
    """Where a session stands after the events so far."""

    session_id: str = ""
    messages: int = 0
    turns: int = 0
    open_calls: tuple[str, ...] = ()
    approvals: tuple[str, ...] = ()
    selected: tuple[str, ...] = ()
    compactions: int = 0
    presented: tuple[str, ...] = ()


class Transcript:
    """The events of the session `session_id` in the file `path`, which the first append makes.

    A file of another session is refused: a session is gone on with by its id, never by being the newest.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        session_id: str,
        *,
        now: Callable[[], datetime] | None = None,
        fsync_every: int = 1,
        disk: Disk = REAL_DISK,
    ) -> None:
        self._log = ChainLog(path, fsync_every=fsync_every, disk=disk)
        self.path = self._log.path
        self.session_id = session_id
        self._now = now
        with suppress(TornTail):  # told by reading and appending; `repair` mends it
            for record in self._log.read(limit=1):
                self._own(record)

    def append(self, kind: Kind | str, data: Mapping[str, Any] | None = None) -> Entry:
        """Add an event, durably."""
        at = instant(self._now() if self._now else None)
        event = TranscriptEvent(kind=Kind(kind), session_id=self.session_id, at=at, data=dict(data or {}))
        record = self._log.append({**event.__dict__, "kind": event.kind.value})
        return Entry(record.number, event, record.record_hash)

    def append_message(self, message: Message) -> Entry:
        """Add a message, durably."""
        return self.append(Kind.MESSAGE, message.to_json())

    def read(self, *, anchor: Anchor | None = None) -> list[Entry]:
        """All events, verified; the `LogError` of the first line that cannot be trusted."""
        return list(self.entries(anchor=anchor))

    def entries(self, *, anchor: Anchor | None = None) -> Iterator[Entry]:
        """What `read` reads, one by one."""
        for record in self._log.read(anchor=anchor):
            yield Entry(record.number, self._own(record), record.record_hash)

    def append_result(self, result: ToolResultBlock) -> Entry:
        """Add the result of one call, durably."""
        return self.append(Kind.TOOL_RESULT, dict(result))

    def messages(self) -> list[Message]:
        """The messages of the session, as they were said; results that follow each other make one."""
        found: list[Message] = []
        waiting: list[ToolResultBlock] = []
        for entry in self.entries():
            if entry.event.kind is Kind.TOOL_RESULT:
                waiting.append(ToolResultBlock(**entry.event.data))
            elif entry.event.kind is Kind.MESSAGE:
                found += [results(waiting)] if waiting else []
                waiting = []
                found.append(message_from_json(entry.event.data))
        return [*found, results(waiting)] if waiting else found

    def open_calls(self) -> list[ToolUseBlock]:
        """The calls on record that have no result on record: nobody knows whether they were made."""
        return open_calls(self.messages())

    def history(self) -> History[TranscriptState, TranscriptEvent]:
        """The session at any prefix, for the replay timeline."""
        events = [entry.event for entry in self.entries()]
        return History(events, apply_transcript, describe=lambda event: event.kind.value, marks=_marks)

    def anchor(self) -> Anchor:
        """What to keep elsewhere of the transcript as it is now."""
        return self._log.anchor()

    def repair(self) -> Repair | None:
        """Set aside a last line that was cut while it was written."""
        return self._log.repair()

    def _own(self, record: Record) -> TranscriptEvent:
        event = TranscriptEvent.model_validate(dict(record.event))
        if event.session_id != self.session_id:
            raise LogError(
                "a transcript holds one session",
                f"{self.path.name} is of {event.session_id}, not of {self.session_id}.",
                "Open the transcript of the session that is meant.",
                path=str(self.path),
            )
        return event


def open_calls(messages: Sequence[Message]) -> list[ToolUseBlock]:
    """The calls among the messages that have no result among them."""
    done = {result.tool_use_id for message in messages for result in message.tool_results}
    return [call for message in messages for call in message.tool_uses if call.id not in done]


def apply_transcript(state: TranscriptState | None, event: TranscriptEvent) -> TranscriptState:
    """The state of a session after one more event."""
    state = state or TranscriptState(session_id=event.session_id)
    return state.model_copy(update=_change(state, event))


def _change(state: TranscriptState, event: TranscriptEvent) -> dict[str, Any]:
    data = event.data
    match event.kind:
        case Kind.MESSAGE:
            message = message_from_json(data)
            asked = tuple(call.id for call in message.tool_uses)
            turns = state.turns + (message.role == "assistant")
            return {"messages": state.messages + 1, "turns": turns, "open_calls": state.open_calls + asked}
        case Kind.TOOL_RESULT:
            done = data["tool_use_id"]
            return {"open_calls": tuple(call for call in state.open_calls if call != done)}
        case Kind.APPROVAL:
            given = (str(data.get("call_id", "")),) if data.get("allowed") is True else ()
            return {"approvals": state.approvals + given}
        case Kind.MEMORY_SELECTED:
            return {"selected": tuple(data.get("selected_ids", ()))}
        case Kind.COMPACTION:
            return {"compactions": state.compactions + 1}
        case Kind.PRESENTED:
            return {"presented": (*state.presented, str(data.get("path", "")))}
        case _:
            return {}


def _marks(event: TranscriptEvent, _before: object, after: TranscriptState) -> str | None:
    match event.kind:
        case Kind.APPROVAL:
            return "▲ approval" if event.data.get("allowed") else "▽ refusal"
        case Kind.COMPACTION:
            return "◆ compaction"
        case Kind.MEMORY_SELECTED:
            return "● memory selected"
        case Kind.MESSAGE if after.open_calls:
            return "○ call"
        case _:
            return None


def transcript_path(workspace: str | PathLike[str], session_id: str) -> Path:
    """Where the transcript of a session stands. An id that is no plain name is refused: it names a folder."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}", session_id):
        refuse("session_id", "a name of letters, digits, “.”, “-” and “_”", show(session_id))
    return Path(workspace) / OWN / "sessions" / session_id / "transcript.jsonl"
