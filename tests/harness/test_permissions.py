"""Mechanism 4: allow, ask or deny."""

import itertools

import pytest

from forge.errors import InvalidValue
from forge.harness.messages import ToolUseBlock
from forge.harness.permissions import (
    Answer,
    Asked,
    Decision,
    Grant,
    Permissions,
    Rule,
    asked_for,
    decide,
)
from forge.harness.tools import Tool

READ = Asked("s1", "main", "read_file", "notes/a.txt", writes=False)
WRITE = Asked("s1", "main", "write_file", "notes/a.txt", writes=True)
RUN = Asked("s1", "main", "run_command", "git status", writes=True, is_command=True)


def grant(**change):
    return Grant(
        **{"session_id": "s1", "agent": "main", "tool": "write_file", "pattern": "notes/*", **change}
    )


def decided(asked, rules=(), grants=()):
    return decide(asked, rules, grants).decision


def test_reading_is_allowed_and_writing_asks():
    assert decided(READ) is Decision.ALLOW
    assert decided(WRITE) is Decision.ASK


def test_a_rule_that_allows_does_not_spare_a_writing_tool_the_question():
    assert decided(WRITE, [Rule(decision="allow")]) is Decision.ASK


def test_a_denial_wins_whatever_else_is_said_and_in_whatever_order():
    rules = [Rule(decision="allow"), Rule(decision="ask"), Rule(decision="deny", tool="write_*")]
    for order in itertools.permutations(rules):
        assert decided(WRITE, order, [grant(pattern="*")]) is Decision.DENY


def test_a_rule_that_asks_makes_reading_a_question():
    assert decided(READ, [Rule(decision="ask", pattern="notes/*"), Rule(decision="allow")]) is Decision.ASK


def test_a_grant_lets_a_writing_tool_pass():
    assert decided(WRITE, grants=[grant()]) is Decision.ALLOW


@pytest.mark.parametrize(
    "other", [{"session_id": "s2"}, {"agent": "reviewer"}, {"tool": "run_command"}, {"pattern": "plans/*"}]
)
def test_a_grant_holds_for_its_session_agent_tool_and_pattern_and_nowhere_else(other):
    assert decided(WRITE, grants=[grant(**other)]) is Decision.ASK


@pytest.mark.parametrize(
    "command",
    [
        "git status; rm x",
        "git status && rm x",
        "git log | sh",
        "git $(rm x)",
        "git status\nrm x",
        "git log > a",
    ],
)
def test_a_grant_for_a_command_does_not_cover_a_second_command_behind_it(command):
    git = [grant(tool="run_command", pattern="git *")]
    assert decided(RUN, grants=git) is Decision.ALLOW
    assert decided(RUN._replace(subject=command), grants=git) is Decision.ASK


def test_nobody_to_ask_is_no_consent():
    verdict, _ = Permissions().check(WRITE)
    assert verdict.decision is Decision.ASK
    assert "nobody consented" in verdict.reason


def test_a_consent_for_once_is_asked_for_again():
    asked = []
    permissions = Permissions(ask=lambda what: asked.append(what) or Answer(allowed=True))
    for _ in range(2):
        assert permissions.check(WRITE)[0].decision is Decision.ALLOW
    assert len(asked) == 2
    assert permissions.grants == []


def test_a_consent_for_the_session_is_kept_with_what_it_was_given_for():
    asked = []
    permissions = Permissions(ask=lambda what: asked.append(what) or Answer(allowed=True, pattern="notes/*"))
    for _ in range(2):
        assert permissions.check(WRITE)[0].decision is Decision.ALLOW
    assert len(asked) == 1
    assert permissions.grants == [grant()]
    permissions.check(WRITE._replace(session_id="s2"))
    assert len(asked) == 2


def test_a_refusal_with_a_pattern_is_no_grant():
    permissions = Permissions(ask=lambda _: Answer(allowed=False, pattern="*"))
    assert permissions.check(WRITE)[0].decision is Decision.ASK
    assert permissions.grants == []


def test_what_is_risky_is_asked_for_though_a_rule_allows_it():
    assert Permissions().check(READ, at_least=Decision.ASK)[0].decision is Decision.ASK


TOOL = Tool("write_file", "", lambda path: "", {"path": "string"}, writes=True, subject="path")


@pytest.mark.parametrize(
    "path", ["secret/a", "./secret/a", "notes/../secret/a", "secret//a", "notes\\..\\secret\\a"]
)
def test_a_rule_for_a_path_fits_however_the_path_is_written(path):
    asked = asked_for(TOOL, ToolUseBlock(id="c", name="write_file", input={"path": path}), "s1", "main")
    assert decided(asked, [Rule(decision="deny", pattern="secret/*")]) is Decision.DENY


def test_a_tool_without_a_subject_is_judged_by_its_whole_input():
    tool = Tool("send", "", lambda to: "", {"to": "string"}, writes=True)
    asked = asked_for(tool, ToolUseBlock(id="c", name="send", input={"to": "ann"}), "s1", "main")
    assert asked.subject == '{"to":"ann"}'


@pytest.mark.parametrize("answer", [None, True, Answer(allowed="no"), Answer(allowed=1)])
def test_what_is_no_answer_is_no_consent(answer):
    with pytest.raises(InvalidValue, match="an answer was refused: expected an Answer"):
        Permissions(ask=lambda _: answer).check(WRITE)
