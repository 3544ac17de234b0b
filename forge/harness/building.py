"""What a session is built of: its tools and its context, without what is switched off."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ..errors import HarnessError
from .connectors import MARK
from .durable import EMPTY, delivered
from .messages import Message
from .presentation import Deliveries, Delivery, present_files, presenting_tool
from .prompt import PromptPart
from .restore import restore_durable_state
from .tools import Tool
from .transcript import Kind
from .working_context import WorkingContext
from .workspace_tools import workspace_tools

if TYPE_CHECKING:
    from .harness import Harness


class Context(Protocol):
    """What a model is shown: the system prompt, and the messages or what stands for them."""

    def prepare(self, messages: Sequence[Message]) -> tuple[str, Sequence[Message]]:
        """The system prompt and the view of the messages for the next call."""


def tools_of(harness: Harness) -> list[Tool]:
    """The tools of a session."""
    if not harness.on("tools"):
        return []
    made = [*workspace_tools(harness.workspace, harness.outputs if harness.on("externalise") else None)]
    if harness.on("presentation"):
        made.append(presenting_tool(lambda paths: present(harness, paths)))
    if harness.skills is not None and harness.on("skills"):
        made += harness.skills.tools()
    connected = harness.on("connectors")
    return [*made, *(tool for tool in harness.extra_tools if connected or MARK not in tool.name)]


def present(harness: Harness, paths: Sequence[str]) -> Deliveries:
    """Hand finished files over; each version of a file once in a session."""
    if harness.database is None:
        raise HarnessError("files cannot be delivered", "the database is switched off.")

    def announce(one: Delivery) -> None:
        if harness.transcript is not None:
            facts = {"path": one.path, "digest": one.digest, "size": one.size}
            harness.transcript.append(Kind.PRESENTED, facts)
        if isinstance(harness.working, WorkingContext):
            harness.working.protect(delivered(one.path, one.digest))

    return present_files(harness.workspace, paths, harness.session_id, harness.database, announce=announce)


def working_context(harness: Harness) -> WorkingContext:
    """The context of a session: its memories, its catalogue of skills, its expert."""
    parts = []
    if harness.expert is not None and harness.on("experts"):
        name, prompt, facts = harness.expert.name, (harness.expert.prompt,), harness.expert.memory
        parts.append(PromptPart(name="expert", standing="instruction", lines=prompt, source=name))
        parts.append(PromptPart(name="expert_memory", standing="evidence", lines=facts, source=name))
    if harness.skills is not None and harness.on("skills"):
        listed = ("Skills that load_skill loads:", harness.skills.catalogue())
        parts.append(PromptPart(name="skills", standing="instruction", lines=listed, source="SKILL.md"))
    transcript = harness.transcript
    return WorkingContext(
        harness.own,
        harness.observer,
        workspace=re.sub(r"[^\w.-]", "-", harness.workspace.name) or "workspace",
        home=harness.home,
        parts=parts,
        off=harness.off,
        state=restore_durable_state(transcript.entries()) if transcript is not None else EMPTY,
        told=transcript.append if transcript is not None else lambda *_: None,
    )
