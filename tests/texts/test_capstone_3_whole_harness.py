"""Capstone 3: the whole texts of forge's errors, which an answer may word otherwise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from forge.errors import CompactionRefused, HarnessError, InvalidValue, OutsideWorkspace, TurnLimit
from forge.harness.externalise import Outputs
from forge.harness.loop import run_loop
from forge.harness.mcp_tools import adapt_tool, text_of
from forge.harness.messages import ToolResultBlock, ToolUseBlock, results, user
from forge.harness.mock import calls
from forge.harness.pairs import unit_starts
from forge.harness.restart import settle
from forge.harness.sandbox import inside
from forge.harness.schedule_line import parse_schedule
from forge.harness.tools import Tool, ToolRegistry

WRITE = (
    "Write: daily 09:00 PROMPT, weekly mon,thu 09:00 PROMPT, monthly last 09:00 PROMPT, hourly PROMPT, "
    "or FREQ=… PROMPT."
)


def told(kind: type[Exception], act: Callable[..., object], *values: object) -> str:
    with pytest.raises(kind) as caught:
        act(*values)
    return str(caught.value)


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


def test_the_limit_of_the_loop_is_told_with_the_number_of_turns() -> None:
    def act(call: ToolUseBlock) -> ToolResultBlock:
        return ToolResultBlock(tool_use_id=call.id, content="")

    replies = iter([calls("c1", "list_files"), calls("c2", "list_files")])
    messages = [user("go")]
    assert told(TurnLimit, lambda: run_loop(messages, lambda _: next(replies), act, limit=2)) == (
        "the loop has reached its limit: the model asked for tools in each of 2 turns. "
        "Look at the last calls in the transcript, then go on with a new message or a higher limit."
    )
    [last] = messages[-1].tool_results
    assert last.content == "not called: the limit of 2 turns was reached."


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


def test_a_result_without_its_call_is_told_by_its_place() -> None:
    lonely = [user("go"), results([ToolResultBlock(tool_use_id="c9", content="")])]
    assert told(CompactionRefused, unit_starts, lonely) == (
        "a call and its result are separated: message 2 brings 'c9', whose call is not before it. "
        "Read the conversation again from its transcript."
    )


def test_a_path_and_an_output_are_told_by_name(tmp_path: Path) -> None:
    assert "it leads out of the workspace" in told(OutsideWorkspace, inside, tmp_path, "../x")
    outputs = Outputs(tmp_path / "outputs")
    pointer = outputs.store("one")
    (tmp_path / pointer.path).write_text("two")
    assert told(InvalidValue, outputs.read, pointer.digest) == (
        f"an output was changed: the file {pointer.digest[:12]}… holds other bytes. Run the tool again."
    )
