"""What stands before each call, in order: the sandbox, and then permission under the call's real name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import OutsideWorkspace
from .messages import ToolUseBlock
from .observe import Watch
from .permissions import Decision, asked_for
from .restart import approval
from .sandbox import Risk, grade_command, relative
from .tools import Tool
from .transcript import Kind

if TYPE_CHECKING:
    from .harness import Harness


def refused(harness: Harness, tool: Tool, call: ToolUseBlock, watch: Watch) -> str:
    """Why the call must not be made; empty when it may be. A user's answer is put on record."""
    at_least = Decision.ALLOW
    resolve = (lambda path: relative(harness.workspace, path)) if harness.on("sandbox") else None
    try:
        asked = asked_for(tool, call, harness.session_id, harness.agent, resolve)
    except OutsideWorkspace as error:
        watch.error_class = type(error).__name__
        return f"blocked by the sandbox: {error}"
    if harness.on("sandbox") and asked.is_command:
        grade = grade_command(asked.subject, harness.workspace)
        if grade.risk is Risk.REFUSED:
            watch.error_class = "CommandRefused"
            return f"blocked by the sandbox: {grade.reason}."
        at_least = Decision.ASK if grade.risk is Risk.CHANGES else Decision.ALLOW
    if not harness.on("permissions"):
        return ""
    verdict, answer = harness.permissions.check(asked, at_least=at_least)
    if answer is not None and harness.transcript is not None:
        harness.transcript.append(Kind.APPROVAL, approval(call.id, asked, answer))
    watch.facts["permission"] = f"{verdict.decision}: {verdict.reason}"
    if verdict.decision is Decision.ALLOW:
        return ""
    watch.error_class = "NotPermitted"
    return f"not permitted: {verdict.reason}."
