"""Capstone 3: the whole texts of forge's errors, which an answer may word otherwise."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from forge.chain import sha256
from forge.errors import (
    CompactionRefused,
    ForgeError,
    HarnessError,
    InvalidValue,
    LogError,
    OutsideWorkspace,
    TurnLimit,
)
from forge.harness.audit import AuditLog
from forge.harness.externalise import Outputs
from forge.harness.loop import run_loop
from forge.harness.mcp_tools import adapt_tool, text_of
from forge.harness.messages import Message, ToolResultBlock, ToolUseBlock, results, user
from forge.harness.mock import calls, says
from forge.harness.observe import Operation
from forge.harness.pairs import unit_starts
from forge.harness.permissions import Answer, Asked, Decision, Grant, Rule, decide, holds, nobody
from forge.harness.presentation import present_files
from forge.harness.restart import settle
from forge.harness.sandbox import inside
from forge.harness.schedule_line import parse_schedule
from forge.harness.sqlite_database import HarnessDatabase
from forge.harness.tools import Tool, ToolRegistry
from forge.harness.transcript import transcript_path
from forge.wording import show

WRITE = (
    "Write: daily 09:00 PROMPT, weekly mon,thu 09:00 PROMPT, monthly last 09:00 PROMPT, hourly PROMPT, "
    "or FREQ=… PROMPT."
)


def refusal(kind: type[ForgeError], act: Callable[..., object], *values: object) -> ForgeError:
    with pytest.raises(kind) as caught:
        act(*values)
    return caught.value


def told(kind: type[ForgeError], act: Callable[..., object], *values: object) -> str:
    return str(refusal(kind, act, *values))


def test_a_schedule_is_told_what_was_expected_and_what_was_found() -> None:
    rhythms = "hourly, daily, weekdays, weekly, monthly"
    for line, facts in (
        ("", f"expected one of {rhythms}, found ''"),
        ("yearly x", f"expected one of {rhythms}, found 'yearly'"),
        ("daily 24:00 x", "expected a time from 00:00 to 23:59, found '24:00'"),
        (
            "weekly mo,mo 9:00 x",
            "expected days of the week, each once, from mon,tue,wed,thu,fri,sat,sun, found 'mo,mo'",
        ),
        (
            "monthly 29 9:00 x",
            "expected a day that every month has, from 1 to 28, or “last”, found '29'",
        ),
        ("hourly", "expected a prompt at the end, found 'nothing'"),
    ):
        assert told(InvalidValue, parse_schedule, line) == f"a schedule was refused: {facts}. {WRITE}"


def test_an_mcp_tool_is_told_with_both_of_its_names() -> None:
    entry = {"name": "find it"}
    assert told(InvalidValue, adapt_tool, "Library", entry, lambda *_: {}) == (
        "an MCP tool was refused: expected a server of small letters, digits and “-” and a tool of letters, "
        "digits, “_” and “-”, together at most 62 long, found 'Library' and 'find it'."
    )


def test_a_failure_of_a_server_is_told_in_its_words() -> None:
    failed = {"content": [{"type": "text", "text": "no such shelf"}], "isError": True}
    assert told(HarnessError, text_of, failed) == "the server says that the call failed: no such shelf"
    assert told(HarnessError, text_of, {"isError": True}) == (
        "the server says that the call failed: it gives no reason."
    )


def listing(call: ToolUseBlock) -> ToolResultBlock:
    return ToolResultBlock(tool_use_id=call.id, content="a.txt")


def test_the_limit_of_the_loop_is_told_with_the_number_of_turns() -> None:
    replies = iter([calls("c1", "list_files"), calls("c2", "list_files")])
    messages = [user("go")]
    error = refusal(TurnLimit, lambda: run_loop(messages, lambda _: next(replies), listing, limit=2))
    assert str(error) == (
        "the loop has reached its limit: the model asked for tools in each of 2 turns. "
        "Look at the last calls in the transcript, then go on with a new message or a higher limit."
    )
    assert error.evidence == {"turns": 2}
    contents = [result.content for message in messages for result in message.tool_results]
    assert contents == ["a.txt", "not called: the limit of 2 turns was reached."]


def test_a_limit_of_no_turns_asks_the_model_nothing() -> None:
    messages: list[Message] = []
    assert told(TurnLimit, lambda: run_loop(messages, lambda _: says("over"), listing, limit=0)).startswith(
        "the loop has reached its limit: the model asked for tools in each of 0 turns."
    )
    assert messages == []


def test_an_open_call_is_told_as_what_it_is() -> None:
    call = ToolUseBlock(id="c1", name="send")
    for tool, text in (
        (
            {"writes": True},
            "outcome unknown: stopped between the call and its record. Look before you repeat it.",
        ),
        ({"writes": False}, "stopped before its result was kept. It only reads: call it again."),
        (
            {"writes": True, "outcome": lambda _key: None},
            "stopped before it took effect. Call it again if it is still wanted.",
        ),
    ):
        registry = ToolRegistry([Tool("send", "Send.", lambda **_: "", **tool)])
        assert settle(call, registry).content == text
        inside_another = ToolUseBlock(id="c1", name="execute_tool", input={"name": "send"})
        assert settle(inside_another, registry).content == text
    no_name = ToolUseBlock(id="c1", name="execute_tool", input={"name": ["send"]})
    assert settle(no_name, registry).content.startswith("outcome unknown")


def test_a_result_without_its_call_is_told_by_its_place() -> None:
    lonely = [user("go"), results([ToolResultBlock(tool_use_id="c9", content="")])]
    error = refusal(CompactionRefused, unit_starts, lonely)
    assert str(error) == (
        "a call and its result are separated: message 2 brings 'c9', whose call is not before it. "
        "Read the conversation again from its transcript."
    )
    assert error.evidence == {"place": 1, "tool_use_id": "c9"}


def test_a_model_is_told_of_a_server_s_tool_with_the_server_s_own_schema() -> None:
    schema = {"type": "object", "properties": {"a": {"minLength": 2}}, "required": []}
    tool = adapt_tool("x", {"name": "t", "inputSchema": schema}, lambda *_: {})
    assert tool.describe()["input_schema"] == schema
    assert tool.subject is None


def test_a_decision_is_told_with_its_reason() -> None:
    asked = Asked("monday", "main", "write_file", "a.txt", writes=True)
    grant = Grant(session_id="monday", agent="main", tool="write_file", pattern="*")
    allow, ask, deny = (Rule(decision=decision) for decision in Decision)
    for rules, grants, writes, verdict in (
        ([allow, ask, deny], [grant], True, (Decision.DENY, "a rule denies it")),
        ([allow, ask], [grant], True, (Decision.ALLOW, "the user has granted it for this session")),
        ([allow, ask], [], True, (Decision.ASK, "a rule asks")),
        ([allow], [], True, (Decision.ASK, "the tool writes")),
        ([allow], [], False, (Decision.ALLOW, "a rule allows it")),
        ([], [], False, (Decision.ALLOW, "the tool only reads")),
        ([Rule(decision=Decision.DENY, tool="read_*")], [], False, (Decision.ALLOW, "the tool only reads")),
        ([Rule(decision=Decision.DENY, pattern="b*")], [], False, (Decision.ALLOW, "the tool only reads")),
    ):
        given = decide(asked._replace(writes=writes), rules, grants)
        assert (given.decision, given.reason) == verdict
        assert given.granted == ("granted" in given.reason)


def test_a_command_of_several_is_covered_by_its_own_text_alone() -> None:
    grant = Grant(session_id="monday", agent="main", tool="run_command", pattern="git *")
    for mark in ";&|`$<>\n\r":
        command = f"git status {mark} x"
        asked = Asked("monday", "main", "run_command", command, writes=True, is_command=True)
        assert not holds(grant, asked)
        assert holds(grant.model_copy(update={"pattern": command}), asked)
        assert holds(grant, asked._replace(is_command=False))
    alone = Asked("monday", "main", "run_command", "git log X", writes=True, is_command=True)
    assert holds(grant, alone)


def test_the_answer_of_nobody_is_a_plain_no() -> None:
    assert nobody(Asked("monday", "main", "write_file", "a.txt", writes=True)) == Answer(False, None)


def test_an_audit_tells_the_problem_in_the_words_of_the_log(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    log.append(Operation(operation_id="op1", session_id="monday", stage="tool"))
    log.path.write_bytes(log.path.read_bytes().replace(b'"op1"', b'"op9"'))
    assert log.verify().problem == told(LogError, log.read)


def test_a_delivery_that_is_refused_is_told_why(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    with HarnessDatabase(tmp_path / "h.sqlite3", durable=False) as database:

        def present(*paths: str) -> object:
            return present_files(tmp_path, paths, "monday", database)

        assert told(InvalidValue, present) == "paths were refused: expected 1 to 50 paths, found 0."
        assert told(InvalidValue, present, *["a.md"] * 51) == (
            "paths were refused: expected 1 to 50 paths, found 51."
        )
        assert told(InvalidValue, present, "a.md", "b.md") == (
            "a file cannot be delivered: b.md is no file. Write it first."
        )
        [made] = present_files(tmp_path, ["a.md"] * 50, "monday", database)
        assert made == ("a.md", 1, sha256(b"a"), True), "nothing was delivered by the one that was refused"


def test_an_output_that_cannot_be_read_is_told_why(tmp_path: Path) -> None:
    outputs = Outputs(tmp_path / "outputs", limit=4)
    digest = outputs.store("0123456789").digest
    for given, text in (
        (("x",), "digest was refused: expected 64 hexadecimal digits, found 'x'."),
        ((7,), "digest was refused: expected 64 hexadecimal digits, found 7."),
        (("0" * 64,), "no output has this digest: 000000000000… is not kept here."),
        ((digest, -1), "the part was refused: expected start ≥ 0, length ≥ 1, found -1, 4000."),
        ((digest, 0, 0), "the part was refused: expected start ≥ 0, length ≥ 1, found 0, 0."),
    ):
        assert told(InvalidValue, outputs.read, *given) == text
    assert (outputs.read(digest), outputs.read(digest, 0, 1), outputs.read(digest, 8)) == ("0123", "0", "89")


def test_a_session_whose_id_is_no_plain_name_is_told_so(tmp_path: Path) -> None:
    for name in ("", "../x", ".x", "a b", "x" * 101):
        assert told(InvalidValue, transcript_path, tmp_path, name) == (
            "session_id was refused: expected a name of letters, digits, “.”, “-” and “_”, "
            f"found {show(name)}."
        )
    for name in ("x" * 100, "Monday-1_b.C"):
        folder = tmp_path / ".harness" / "sessions" / name
        assert str(transcript_path(tmp_path, name)) == str(folder / "transcript.jsonl")


def test_a_path_and_an_output_are_told_by_name(tmp_path: Path) -> None:
    for path, why in (
        ("../x", "'../x': it leads out of the workspace"),
        ("a\0b", "'a\\x00b': it is no path"),
        (" ", "' ': it is no path"),
        (7, "'7': it is no path"),
        ("\ud800", "'\\ud800': UnicodeEncodeError"),
        (".harness/x", "'.harness/x': .harness holds the harness's own records"),
        (".HARNESS", "'.HARNESS': .harness holds the harness's own records"),
    ):
        assert told(OutsideWorkspace, inside, tmp_path, path) == (
            f"a path was refused: {why}. Name a path inside the workspace."
        )
    assert inside(tmp_path, ".harness/x", own=True) == tmp_path.resolve() / ".harness" / "x"
    assert inside(tmp_path, "a/.harness").name == ".harness"
    (tmp_path / "loop").symlink_to("loop")
    with suppress(OutsideWorkspace):
        inside(tmp_path, "loop/x")
    outputs = Outputs(tmp_path / "outputs")
    pointer = outputs.store("one")
    (tmp_path / pointer.path).write_text("two")
    assert told(InvalidValue, outputs.read, pointer.digest) == (
        f"an output was changed: the file {pointer.digest[:12]}… holds other bytes. Run the tool again."
    )
