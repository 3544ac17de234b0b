"""What is worth keeping of a session, at its end: it goes through the write gate into workspace memory.

Only what the user said is looked at. What a tool printed or the model concluded is nobody's word, and a page
that was read must not write into the memory of later sessions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from .facts import Fact, Kept, stable_id
from .messages import Message
from .observe import hide_secrets
from .workspace_memory import ScopedMemory

LONGEST = 300
"""Characters of a fact that passes the gate."""

_MARKS = re.compile(
    r"(?i)^(please\s+)?(remember|note|keep in mind)\b[:,]?\s*(that\b)?\s*|^(请)?记住[：:，,]?\s*"
    r"|^(?=from now on\b|always\b|never\b|we use\b)"
)


class Distilled(NamedTuple):
    """What was kept, and what the gate refused with the reason."""

    kept: tuple[Kept, ...]
    refused: tuple[tuple[str, str], ...]


def worth_keeping(messages: Iterable[Message]) -> list[str]:
    """The sentences in which a user asked for something to be remembered, in order, each once."""
    found: dict[str, None] = {}
    for message in messages:
        if message.role != "user" or message.tool_results:
            continue
        for line in re.split(r"(?<=[.!?])\s+|(?<=[。！？])|\n", message.text):
            mark = _MARKS.match(line.strip())
            if mark and (fact := line.strip()[mark.end() :].strip()):
                found.setdefault(fact)
    return list(found)


def gate(text: str) -> str:
    """Why a sentence must not be remembered; empty when it may be."""
    if hide_secrets(text) != text:
        return "it looks like a secret"
    if len(text) > LONGEST:
        return f"it is longer than {LONGEST} characters"
    if text.endswith(("?", "？")):
        return "it is a question"
    if not re.search(r"\w{2}", text):
        return "it says nothing"
    return ""


def distil(messages: Iterable[Message], memory: ScopedMemory, *, session_id: str, now: datetime) -> Distilled:
    """Keep what is worth it, once each. What is remembered already stays as it was first learned."""
    kept, refused = [], []
    for text in worth_keeping(messages):
        if why := gate(text):
            refused.append((hide_secrets(text), why))
        elif held := memory.get(stable_id(memory.scope, text)):
            kept.append(Kept(held, reused=True))
        else:
            fact = Fact(
                scope=memory.scope, content=text, source_id=session_id, source_kind="session", captured_at=now
            )
            kept.append(memory.keep(fact))
    return Distilled(tuple(kept), tuple(refused))
