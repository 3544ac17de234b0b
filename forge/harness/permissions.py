"""Mechanism 4: permissions. Before each call: allow, ask or deny.

In this order, and the first that fits decides: a rule that denies; a grant that the user gave for this
session, agent, tool and pattern; a rule that asks; a tool that writes, which asks; a rule that allows; and
reading, which is allowed. So no grant and no rule outweighs a denial, and nothing but a user's grant lets a
writing tool pass without asking.

Nobody to ask is no consent: the call is not made.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Annotated, NamedTuple

from pydantic import Field

from ..chain import canonical
from ..errors import ForgeModel, InvalidValue
from ..wording import show
from .messages import ToolUseBlock
from .tools import Tool


class Decision(StrEnum):
    """What is decided before a call."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Rule(ForgeModel):
    """What is decided for tools and subjects that fit the two patterns, in which `*` stands for anything."""

    decision: Annotated[Decision, Field(strict=False)]
    tool: str = "*"
    pattern: str = "*"


class Grant(ForgeModel):
    """A user's consent that holds for one session, agent, tool and pattern, and nowhere else."""

    session_id: str = Field(min_length=1)
    agent: str = Field(min_length=1)
    tool: str = Field(min_length=1)
    pattern: str = Field(min_length=1)


class Asked(NamedTuple):
    """What a permission is asked for."""

    session_id: str
    agent: str
    tool: str
    subject: str
    writes: bool
    is_command: bool = False


class Verdict(NamedTuple):
    """What was decided, by what, and whether that was the user's grant."""

    decision: Decision
    reason: str
    granted: bool = False


class Answer(NamedTuple):
    """What a user said: yes or no, and for which pattern of this session from now on, if any."""

    allowed: bool
    pattern: str | None = None


Asker = Callable[[Asked], Answer]


def nobody(_asked: Asked) -> Answer:
    """The answer when there is nobody to ask."""
    return Answer(allowed=False)


def asked_for(
    tool: Tool, call: ToolUseBlock, session_id: str, agent: str, resolve: Callable[[str], str] | None = None
) -> Asked:
    """What must be permitted for the call. Its subject is a path, a command, or the whole input.

    `resolve` gives a path as it stands in the workspace, links followed: a rule for `secret/*` must fit the
    file under whatever name it is asked for. Without it, `..` and `.` alone are resolved.
    """
    value = call.input.get(tool.subject) if tool.subject else None
    subject = value if isinstance(value, str) else canonical(call.input).decode()
    is_command = tool.subject == "command"
    if isinstance(value, str) and not is_command:
        subject = resolve(value) if resolve else posixpath.normpath(value.replace("\\", "/"))
    return Asked(session_id, agent, tool.name, subject, tool.writes, is_command)


def decide(asked: Asked, rules: Iterable[Rule], grants: Iterable[Grant]) -> Verdict:
    """Allow, ask or deny: see the order at the top of this module."""
    rules = [rule for rule in rules if fnmatchcase(asked.tool, rule.tool) and covers(rule.pattern, asked)]
    decisions = {rule.decision for rule in rules}
    if Decision.DENY in decisions:
        return Verdict(Decision.DENY, "a rule denies it")
    if any(holds(grant, asked) for grant in grants):
        return Verdict(Decision.ALLOW, "the user has granted it for this session", granted=True)
    if Decision.ASK in decisions:
        return Verdict(Decision.ASK, "a rule asks")
    if asked.writes:
        return Verdict(Decision.ASK, "the tool writes")
    return Verdict(Decision.ALLOW, "a rule allows it" if decisions else "the tool only reads")


def covers(pattern: str, asked: Asked) -> bool:
    """Whether the subject fits the pattern."""
    return fnmatchcase(asked.subject, pattern)


def holds(grant: Grant, asked: Asked) -> bool:
    """Whether a grant is for exactly this session, agent and tool, and its pattern covers the subject.

    A command made of several is covered by its own text only: `git *` must not let `git status; rm -rf .`
    pass.
    """
    own = (grant.session_id, grant.agent, grant.tool) == (asked.session_id, asked.agent, asked.tool)
    if asked.is_command and any(mark in asked.subject for mark in ";&|`$<>\n\r"):
        return own and grant.pattern == asked.subject
    return own and covers(grant.pattern, asked)


class Permissions:
    """The rules, the grants of the sessions, and whom to ask."""

    def __init__(
        self, rules: Iterable[Rule] = (), *, grants: Iterable[Grant] = (), ask: Asker = nobody
    ) -> None:
        self.rules = tuple(rules)
        self.grants = list(grants)
        self._ask = ask

    def check(self, asked: Asked, *, at_least: Decision = Decision.ALLOW) -> tuple[Verdict, Answer | None]:
        """The verdict after asking, if it had to be asked, and the answer of the user, if one was given.

        `at_least` ask makes a question of what a rule would have allowed, not of what the user granted. A
        pattern in the answer becomes a grant.
        """
        verdict = decide(asked, self.rules, self.grants)
        if verdict.decision is Decision.ALLOW and at_least is Decision.ASK and not verdict.granted:
            verdict = Verdict(Decision.ASK, "what it does is risky")
        if verdict.decision is not Decision.ASK:
            return verdict, None
        answer = self._ask(asked)
        if not (isinstance(answer, Answer) and isinstance(answer.allowed, bool)):
            raise InvalidValue(
                "an answer was refused",
                f"expected an Answer that is allowed or not, found {show(answer)}.",
                "Let `ask` return Answer(allowed=True) or Answer(allowed=False).",
            )
        if not answer.allowed:
            return Verdict(Decision.ASK, f"{verdict.reason}, and nobody consented"), answer
        if answer.pattern:
            self.grants.append(
                Grant(session_id=asked.session_id, agent=asked.agent, tool=asked.tool, pattern=answer.pattern)
            )
        return Verdict(Decision.ALLOW, "the user consented"), answer
