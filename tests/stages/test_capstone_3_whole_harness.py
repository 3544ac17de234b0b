"""Capstone 3: what a harness promises around its loop. Every test is a sentence, and so is every failure."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from forge.errors import TurnLimit
from forge.harness.audit import AuditLog
from forge.harness.drawings import extract_drawings
from forge.harness.externalise import Outputs
from forge.harness.harness import Harness
from forge.harness.loop import run_loop
from forge.harness.mcp_tools import adapt_tool
from forge.harness.messages import TextBlock, ToolResultBlock, ToolUseBlock, assistant, results, user
from forge.harness.mock import MockProvider, calls, contradicting, says
from forge.harness.observe import Operation
from forge.harness.pairs import unit_starts
from forge.harness.permissions import Answer, Asked, Decision, Grant, Permissions, Rule, decide
from forge.harness.presentation import present_files
from forge.harness.sandbox import inside
from forge.harness.schedule_line import parse_schedule
from forge.harness.sqlite_database import HarnessDatabase
from forge.harness.streaming import Reply
from forge.harness.tools import Tool, ToolRegistry
from forge.harness.transcript import Transcript, transcript_path

OFF = ("database", "workspace_memory", "remote_memory", "prompt")
"""What no test here is about, and what would make files."""


def session(folder, *replies, session_id="monday", **options):
    return Harness(folder, session_id, MockProvider(list(replies)), off=OFF, **options)


def last_result(harness):
    found = [result for message in harness.messages for result in message.tool_results]
    return found[-1] if found else ToolResultBlock(tool_use_id="none", content="no result")


def yes(pattern=None):
    return Permissions(ask=lambda _asked: Answer(allowed=True, pattern=pattern))


def refusal(act, *values, **named):
    """The first words of the error with which `act` refuses the values, else what it did instead."""
    try:
        found = act(*values, **named)
    except NotImplementedError:
        raise
    except ValueError as error:
        return str(error).partition(":")[0]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return f"accepted: {found!r}"


# The loop and what stands before a call.


def test_the_blocks_of_a_reply_drive_the_loop():
    said, made = [user("What is here?")], []

    def act(call):
        made.append(call.name)
        return ToolResultBlock(tool_use_id=call.id, content="a.txt")

    provider = iter(contradicting("list_files", final="One file."))
    final = run_loop(said, lambda _messages: next(provider), act)
    assert made == ["list_files"], "a reply that asks for a tool must go on, whatever its stop reason says"
    assert final.text == "One file.", "a reply without a call must end the loop, whatever it says"
    assert [message.role for message in said] == ["user", "assistant", "user", "assistant"], (
        "the result must be brought back between the two replies"
    )


def looped(*replies, limit=50):
    """The ids of the calls that a loop over these replies made, and what was said in it."""
    made, said, provider = [], [user("go")], iter(replies)

    def act(call):
        made.append(call.id)
        return ToolResultBlock(tool_use_id=call.id, content="a.txt")

    with suppress(TurnLimit):
        run_loop(said, lambda _messages: next(provider), act, limit=limit)
    return made, said


def test_every_call_of_a_reply_is_made():
    two = [ToolUseBlock(id=name, name="list_files") for name in ("c1", "c2")]
    for reason in ("tool_use", "end_turn", "max_tokens"):
        reply = Reply((TextBlock(text="I look."), *two), reason)
        made, said = looped(reply, says("Done."))
        assert made == ["c1", "c2"], f"every call must be made, with text beside it and the reason {reason}"
        assert len(said) == 4, "the results of one reply must come back in one message"


def test_at_the_limit_no_call_is_made():
    made, said = looped(calls("c1", "list_files"), calls("c2", "list_files"), says("Done."), limit=2)
    assert made == ["c1"], "the calls of the last turn that is allowed must not be made"
    told = [result.tool_use_id for message in said for result in message.tool_results]
    assert told == ["c1", "c2"], "a call that is not made must have a result that says so"


def test_a_call_is_kept_before_it_is_made():
    order = []
    replies = iter([calls("c1", "list_files"), says("Done.")])

    def act(call):
        order.append("made")
        return ToolResultBlock(tool_use_id=call.id, content="a.txt")

    run_loop([user("go")], lambda _: next(replies), act, keep=lambda _: order.append("kept"))
    assert order == ["kept", "made", "kept", "kept"], "the call must be kept, then made, then its result kept"


def test_nobody_to_ask_is_no_consent(tmp_path):
    harness = session(tmp_path, calls("c1", "write_file", path="a.txt", text="x"), says("over"))
    harness.send("go")
    written = sorted(path.name for path in tmp_path.glob("*.txt"))
    assert written == [], "a writing tool must not be called when nobody was asked"
    assert last_result(harness).is_error, "the model must be told that the call was not made"


def test_a_grant_holds_for_its_own_session_agent_tool_and_pattern():
    asked = Asked("monday", "main", "write_file", "notes/a.txt", writes=True)
    grant = {"session_id": "monday", "agent": "main", "tool": "write_file", "pattern": "notes/*"}
    for other, holds in (
        ({}, "allow"),
        ({"session_id": "sunday"}, "ask"),
        ({"agent": "helper"}, "ask"),
        ({"tool": "remove_file"}, "ask"),
        ({"pattern": "drafts/*"}, "ask"),
    ):
        found = decide(asked, [], [Grant(**{**grant, **other})]).decision.value
        assert found == holds, f"a grant with {other or 'all four right'} must {holds}"
    both = Asked("monday", "main", "run_command", "ls; date", writes=True, is_command=True)
    for other, holds in (
        ({}, "allow"),
        ({"pattern": "ls*"}, "ask"),
        ({"session_id": "sunday"}, "ask"),
        ({"agent": "helper"}, "ask"),
        ({"tool": "run_other"}, "ask"),
    ):
        named = Grant(**{**grant, "tool": "run_command", "pattern": "ls; date", **other})
        found = decide(both, [], [named]).decision.value
        assert found == holds, f"for a command of two, a grant with {other or 'all four right'} must {holds}"


def test_a_denial_outweighs_every_grant():
    asked = Asked("monday", "main", "write_file", "notes/a.txt", writes=True)
    grant = Grant(session_id="monday", agent="main", tool="write_file", pattern="*")
    for rules in (
        [Rule(decision="deny")],
        [Rule(decision="allow"), Rule(decision="deny", pattern="notes/*")],
    ):
        assert decide(asked, rules, [grant]).decision is Decision.DENY, "a rule that denies must win"
    ask = [Rule(decision="ask")]
    assert decide(asked, ask, [grant]).decision is Decision.ALLOW, "a grant must answer a rule that asks"


def test_a_path_beside_the_workspace_is_outside(tmp_path):
    for name in ("room", "room-2", "room/.harness"):
        (tmp_path / name).mkdir()
    room = tmp_path / "room"
    (room / "link").symlink_to(tmp_path / "room-2")
    for path in ("a.txt", "notes/a.txt", "notes/../a.txt", "."):
        found = refusal(lambda path=path: inside(room, path).relative_to(room.resolve()))
        assert found.partition(":")[0] == "accepted", f"{path!r} must be inside"
    for path in ("../room-2/a.txt", "link/a.txt", str(tmp_path / "room-2"), "..", "a/../../x"):
        found = refusal(inside, room, path)
        named = path.replace(str(tmp_path), "…")
        assert found.partition(":")[0] == "OutsideWorkspace", f"{named} must be outside"
    own = refusal(inside, room, ".harness/audit.jsonl").partition(":")[0]
    assert own == "OutsideWorkspace", "the harness's own folder must be no tool's business"
    for path, own in ((".harness/audit.jsonl", True), (".harness-notes/a.txt", False)):
        found = refusal(inside, room, path, own=own).partition(":")[0]
        assert found == "accepted", f"{path} must be inside{' for the harness itself' if own else ''}"


# What is on record.


def test_a_session_is_gone_on_with_by_its_id(tmp_path):
    for name in ("monday", "tuesday"):
        session(tmp_path, says(f"This is {name}."), session_id=name).send(f"Hello on {name}")
    for name in ("tuesday", "monday"):
        again = [message.text for message in session(tmp_path, session_id=name).messages]
        expected = [f"Hello on {name}", f"This is {name}."]
        assert again == expected, f"{name} must be gone on with, and no other session"
    new = session(tmp_path, session_id="mon").messages
    assert list(new) == [], "an id that begins another one must be a session of its own"
    assert refusal(transcript_path, tmp_path, "../monday") == "session_id was refused", (
        "an id must be a name, and lead to no other folder"
    )


def stopped_in(folder, tool):
    """The transcript of a session that died between a call and its record."""
    transcript = Transcript(transcript_path(folder, "monday"), "monday")
    transcript.append_message(user("go"))
    transcript.append_message(assistant(ToolUseBlock(id="c1", name=tool, input={})))


def counting(outcome=None):
    made = []

    def run(**_given):
        made.append("made")
        return "sent"

    return made, Tool("send", "Send the letter.", run, writes=True, outcome=outcome)


def test_a_call_without_a_record_is_not_made_again(tmp_path):
    stopped_in(tmp_path, "send")
    made, tool = counting()
    again = session(tmp_path, says("I look first."), extra_tools=[tool], permissions=yes("*"))
    result = last_result(again)
    assert made == [], "a call whose record is missing may have taken effect, so it must not be made again"
    told = result.is_error, "unknown" in result.content
    assert told == (True, True), "the model must be told that the outcome is unknown"


def test_an_open_call_is_made_by_nobody_but_the_model(tmp_path):
    made, tool = counting()
    for what, extra, unknown in (
        ("a tool that only reads", replace(tool, writes=False), False),
        ("a tool that is not there any more", replace(tool, name="other"), True),
    ):
        folder = tmp_path / str(unknown)
        stopped_in(folder, "send")
        result = last_result(session(folder, extra_tools=[extra]))
        assert made == [], f"the open call of {what} must not be made in the restart"
        told = result.is_error, "unknown" in result.content
        assert told == (True, unknown), f"the outcome for {what} must {'' if unknown else 'not '}be unknown"


def test_an_open_call_is_settled_before_the_session_goes_on(tmp_path):
    stopped_in(tmp_path, "send")
    for known, content, wrong in ((None, "stopped before it took effect", True), ("sent", "sent", False)):
        _, tool = counting(outcome=lambda key, known=known: known if key == "c1" else f"no call {key}")
        folder = tmp_path / str(known)
        stopped_in(folder, "send")
        result = last_result(session(folder, extra_tools=[tool]))
        assert result.tool_use_id == "c1", "the open call must have a result before anything else is said"
        assert (content in result.content, result.is_error) == (True, wrong), (
            f"a tool that remembers {known!r} of the call must be believed"
        )


def test_a_consent_to_one_call_is_no_grant(tmp_path):
    write = {"path": "a.txt", "text": "x"}
    first = session(tmp_path, calls("c1", "write_file", **write), says("over"), permissions=yes())
    first.send("go")
    assert (tmp_path / "a.txt").exists(), "what was consented to must be done"
    (tmp_path / "a.txt").unlink()
    again = session(tmp_path, calls("c2", "write_file", **write), says("over"))
    again.send("once more")
    told = last_result(again).content.partition(":")[0]
    assert told == "not permitted", "a yes to one call must not answer for the next one"


def test_a_grant_is_there_again_after_a_restart(tmp_path):
    write = {"path": "a.txt", "text": "x"}
    session(tmp_path, calls("c1", "write_file", **write), says("over"), permissions=yes("*.txt")).send("go")
    (tmp_path / "a.txt").unlink()
    session(tmp_path, calls("c2", "write_file", **write), says("over")).send("once more")
    assert (tmp_path / "a.txt").exists(), "what the user granted for this session must hold in it"
    refused = Permissions(ask=lambda _asked: Answer(allowed=False, pattern="*.md"))
    note = {"path": "b.md", "text": "x"}
    session(tmp_path, calls("c3", "write_file", **note), says("over"), permissions=refused).send("go")
    session(tmp_path, calls("c4", "write_file", **note), says("over")).send("go")
    assert not (tmp_path / "b.md").exists(), "a no must never become a grant"


def audited(folder, count, session_id="monday"):
    log = AuditLog(folder / "audit.jsonl")
    for number in range(1, count + 1):
        log.append(Operation(operation_id=f"op{number}", session_id=session_id, stage="tool"))
    log.sync()
    return log


def test_a_lost_end_of_the_audit_shows_against_an_anchor(tmp_path):
    log = audited(tmp_path, 3)
    anchor = log.anchor()
    assert log.verify(anchor=anchor).holds, "a whole log must hold"
    lines = log.path.read_bytes().splitlines(keepends=True)
    log.path.write_bytes(b"".join(lines[:2]))
    cut = AuditLog(log.path).verify(anchor=anchor)
    found = "holds" if cut.holds else "does not hold"
    assert (len(cut.records), found) == (2, "does not hold"), (
        "a log that has lost its last record must not hold against the anchor"
    )
    (tmp_path / "other").mkdir()
    other = audited(tmp_path / "other", 3, session_id="tuesday")
    assert not other.verify(anchor=anchor).holds, "another log of as many records must not hold against it"


def test_a_changed_record_of_the_audit_shows(tmp_path):
    log = audited(tmp_path, 3)
    first = log.read()[0]
    log.path.write_bytes(log.path.read_bytes().replace(b'"op2"', b'"op9"'))
    report = AuditLog(log.path).verify()
    assert not report.holds, "a changed record must show"
    assert list(report.records) == [first], "what stands before it can be trusted"


def test_a_conversation_is_cut_between_pairs_only():
    both = assistant(*(ToolUseBlock(id=name, name="list_files", input={}) for name in ("c1", "c2")))
    done = [ToolResultBlock(tool_use_id=name, content="a.txt") for name in ("c1", "c2")]
    said = [user("go"), both, results(done[:1]), results(done[1:]), assistant("Done."), user("and now?")]
    assert unit_starts(said) == [0, 1, 4, 5], "a call must stay with all of its results"
    assert unit_starts(said[:3]) == [0, 1], "a call that still waits must keep all that follows it"
    between = [user("go"), both, results(done[:1]), user("well?"), results(done[1:])]
    assert unit_starts(between) == [0, 1], "no message between a call and its results may begin a part"
    lost = refusal(unit_starts, [user("go"), results(done[:1])])
    assert lost.startswith("CompactionRefused"), "a result without its call must be refused"


def test_a_file_is_delivered_once_in_each_of_its_versions(tmp_path):
    (tmp_path / "report.md").write_text("first")
    news, told = [], []

    def handed_over(text, *paths):
        (tmp_path / "report.md").write_text(text)
        with HarnessDatabase(tmp_path / "harness.sqlite3", durable=False) as database:
            found = present_files(tmp_path, list(paths), "monday", database, announce=news.append)
        told.append([one.new for one in found])

    for text in ("first", "first", "second", "first"):
        handed_over(text, "report.md")
    assert len(news) == 2, "a delivery must be announced once for each version, after a restart too"
    assert [one.new for one in news] == [True, True], "what is announced must be new"
    assert told == [[True], [False], [True], [False]], "what was delivered already must be told as that"
    (tmp_path / "list.md").write_text("three books")
    handed_over("second", "list.md", "report.md")
    assert told[-1] == [True, False], "of two files, each must be told by itself"
    assert [one.path for one in news[2:]] == ["list.md"], "of two files, only the new one must be announced"


def test_an_output_that_was_changed_is_not_read(tmp_path):
    outputs = Outputs(tmp_path / "outputs", limit=10)
    text, pointer = outputs.shorten("0123456789 total: 100")
    assert getattr(pointer, "digest", "no pointer") in text, "a long output must leave a pointer"
    assert outputs.read(pointer.digest, 11) == "total: 100", "what was put aside must come back"
    file = tmp_path / pointer.path
    file.write_text(file.read_text().replace("100", "900"))
    assert refusal(outputs.read, pointer.digest) == "an output was changed", (
        "bytes that are not those of the digest must be refused"
    )


# A tool of an MCP server.

FIND = {
    "name": "find_book",
    "description": "Find a book.",
    "inputSchema": {
        "type": "object",
        "properties": {"words": {"type": "string"}, "limit": {"type": "integer"}, "odd": True},
        "required": ["words"],
    },
    "annotations": {"readOnlyHint": True},
}


def answering(*content, **more):
    """A server that answers every call with this content, and the calls it was sent."""
    sent = []

    def call(name, given):
        sent.append((name, dict(given)))
        return {"content": list(content), **more}

    return sent, call


def said(text):
    return {"type": "text", "text": text}


def test_a_tool_of_a_server_is_called_by_its_own_name_there():
    sent, call = answering(said("The green book"))
    tool = adapt_tool("library", FIND, call)
    assert sent == [], "making a tool of an entry must not call the server"
    registry = ToolRegistry([tool])
    found = registry.dispatch(ToolUseBlock(id="c1", name="library__find_book", input={"words": "green"}))
    assert found.content == "The green book", "the registry must reach the tool as library__find_book"
    assert sent == [("find_book", {"words": "green"})], "the server must be asked under its own name"


def test_two_servers_may_have_tools_of_one_name():
    names = [adapt_tool(server, FIND, answering()[1]).name for server in ("library", "archive")]
    assert names == ["library__find_book", "archive__find_book"], "each must be named with its server"


def test_a_tool_of_a_server_has_its_fields_and_types():
    tool = adapt_tool("library", FIND, answering()[1])
    assert dict(tool.parameters) == {"words": "string", "limit": "integer", "odd": "any"}, (
        "each field must have the type of the schema, or any"
    )
    assert tool.optional == {"limit", "odd"}, "what the schema does not require must be optional"
    bare = adapt_tool("library", {"name": "now"}, answering()[1])
    assert (dict(bare.parameters), bare.description) == ({}, ""), "an entry may have a name and nothing else"
    odd = adapt_tool("library", {**FIND, "inputSchema": {"type": "object"}}, answering()[1])
    assert dict(odd.parameters) == {}, "a schema without properties must have no fields"


def test_a_tool_of_a_server_asks_whatever_it_says_of_itself():
    for hints in ({"readOnlyHint": True}, {"readOnlyHint": False}, {}, None):
        tool = adapt_tool("library", {**FIND, "annotations": hints}, answering()[1])
        assert tool.writes is True, f"with the hints {hints} a tool of a stranger must ask"


def test_a_trusted_server_is_believed_when_it_says_exactly_that_it_reads():
    for hints, writes in (
        ({"readOnlyHint": True}, False),
        ({"readOnlyHint": "yes"}, True),
        ({"readOnlyHint": 1}, True),
        ({}, True),
    ):
        tool = adapt_tool("library", {**FIND, "annotations": hints}, answering()[1], trusted=True)
        assert tool.writes is writes, f"of a trusted server, the hints {hints} must give writes={writes}"


def test_a_tool_of_a_server_is_deferred():
    tool = adapt_tool("library", FIND, answering()[1])
    assert tool.deferred is True, "a server may bring a hundred tools, so each must be searched for"
    assert tool.description == "Find a book.", "a search must find it by what the server says of it"


def test_a_failure_on_the_server_is_a_failed_result():
    _, call = answering(said("no such shelf"), isError=True)
    registry = ToolRegistry([adapt_tool("library", FIND, call)])
    found = registry.dispatch(ToolUseBlock(id="c1", name="library__find_book", input={"words": "x"}))
    assert found.is_error, "what the server calls an error must be one for the model"
    assert "no such shelf" in found.content, "the model must read what the server says"


def test_content_that_is_no_text_is_named():
    _, call = answering(said("a map:"), {"type": "image", "data": "AAAA"})
    tool = adapt_tool("library", FIND, call)
    assert tool.run(words="map") == "a map:\n[image]", "each part of the content must stand in the result"


def test_a_name_that_a_model_cannot_call_is_refused():
    for server, name in (
        ("Library", "find"),
        ("a__b", "find"),
        ("library", "find it"),
        ("library", "f" * 60),
    ):
        found = refusal(adapt_tool, server, {**FIND, "name": name}, answering()[1])
        assert found == "an MCP tool was refused", f"{name[:8]!r} of {server!r} must be refused"


# Drawings in a text.


def sources(found):
    return [(drawing.kind, drawing.source) for drawing in found[1]]


def test_a_drawing_is_taken_out_and_its_place_is_marked():
    found = extract_drawings('Look: <svg width="9"></svg> and <svg>2</svg>.')
    assert found[0] == "Look: [drawing 1] and [drawing 2].", "each drawing must leave its number in its place"
    assert sources(found) == [("svg", '<svg width="9"></svg>'), ("svg", "<svg>2</svg>")], (
        "both drawings must be found, in their order, as they were said"
    )


def test_a_drawing_inside_a_drawing_is_part_of_it():
    text = "<svg><SVG x='1'/><svg></svg>in</svg> after"
    assert extract_drawings(text) == ("[drawing 1] after", (("svg", text[:-6]),)), (
        "the element must end where its own end stands"
    )


def test_code_is_no_drawing():
    text = "So:\n```python\nprint('<svg></svg>')\n```\nand\n```\n<svg></svg>\n```\n"
    assert extract_drawings(text) == (text, ()), "what stands in a fence of other code must stay as it is"
    assert extract_drawings("<svgs></svgs>") == ("<svgs></svgs>", ()), "svgs is another element"


def test_a_fence_for_drawings_is_a_drawing():
    text = "```HTML\n<b>1</b>\n```\nthen\n```svg\n<svg>2</svg>\n```\nend"
    found = extract_drawings(text)
    assert found[0] == "[drawing 1]\nthen\n[drawing 2]\nend", "the whole fence must be taken out"
    assert sources(found) == [("html", "<b>1</b>"), ("svg", "<svg>2</svg>")], (
        "what stands inside is the drawing"
    )


def test_what_has_no_end_stays_in_the_text():
    text = "one <svg> <b> <svg>2</svg> three"
    found = extract_drawings(text)
    assert sources(found) == [("svg", "<svg>2</svg>")], "what follows an unfinished drawing must be found"
    assert found[0] == "one <svg> <b> [drawing 1] three", "the unfinished one must stay as text"
    for open_end in ("```html\n<b>1</b>", "```html\n<svg>1</svg>", "text <svg"):
        assert extract_drawings(open_end) == (open_end, ()), "an open end must stay as it is"


def test_a_text_without_drawings_stays_as_it_is():
    for text in ("", "plain\n", "``` not a fence"):
        assert extract_drawings(text) == (text, ()), "a text without drawings must come back equal"


# The line that schedules a prompt.


def test_a_schedule_is_a_rule_and_a_prompt():
    for line, rule in (
        ("hourly Look", "FREQ=HOURLY;BYMINUTE=0;BYSECOND=0"),
        ("daily 09:05 Look", "FREQ=DAILY;BYHOUR=9;BYMINUTE=5;BYSECOND=0"),
        (
            "weekdays 23:59 Look",
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=23;BYMINUTE=59;BYSECOND=0",
        ),
        ("weekly thu,MO 18:00 Look", "FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=18;BYMINUTE=0;BYSECOND=0"),
        ("monthly 28 00:00 Look", "FREQ=MONTHLY;BYMONTHDAY=28;BYHOUR=0;BYMINUTE=0;BYSECOND=0"),
        ("freq=weekly;byday=tu Look", "FREQ=WEEKLY;BYDAY=TU"),
        ("monthly last 08:00 Look", "FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=8;BYMINUTE=0;BYSECOND=0"),
    ):
        assert parse_schedule(line) == (rule, "Look"), f"{line} must be its rule and its prompt"


def test_a_prompt_stays_as_it_was_typed():
    line = "   DAILY  09:30   Write the  Summary;\nthen MO,TU 10:00  "
    found = parse_schedule(line)
    assert found.rrule == "FREQ=DAILY;BYHOUR=9;BYMINUTE=30;BYSECOND=0", "spaces and capitals must not matter"
    assert found.prompt.rstrip() == "Write the  Summary;\nthen MO,TU 10:00", "the prompt must stay as typed"


def test_a_line_that_is_no_schedule_is_refused():
    for line in (
        "",
        "/schedule daily 09:30 x",
        "daily",
        "sometimes x",
        "sometimes 09:30 x",
        "daily 24:00 x",
        "daily 9.30 x",
        "daily x",
        "weekly MO,MO 09:30 x",
        "weekly 09:30 x",
        "monthly 31 09:30 x",
    ):
        assert refusal(parse_schedule, line) == "a schedule was refused", f"{line!r} must be refused"


def test_a_schedule_without_a_prompt_is_refused():
    for line in ("hourly", "daily 09:30  ", "weekly MO 09:30"):
        assert refusal(parse_schedule, line) == "a schedule was refused", f"{line!r} has nothing to do"
