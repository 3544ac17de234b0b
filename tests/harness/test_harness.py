"""The whole: what stands around each call, and how a session is gone on with."""

import json

import pytest

from forge.errors import DamagedRecord, InvalidValue, ProviderFailed, TurnLimit
from forge.harness.harness import Harness
from forge.harness.messages import ToolUseBlock
from forge.harness.mock import MockProvider, calls, contradicting, echo, says
from forge.harness.permissions import Answer, Permissions, Rule
from forge.harness.tools import Tool
from forge.harness.transcript import Kind, Transcript, transcript_path


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("first note")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key.txt").write_text("hidden")
    return tmp_path


def open_harness(workspace, *script, session_id="s1", **options):
    return Harness(workspace, session_id, MockProvider([*script]), **options)


def result_of(harness):
    return [result for message in harness.messages for result in message.tool_results][-1]


def run_one(workspace, tool, /, session_id="s1", options=None, **given):
    harness = open_harness(
        workspace, calls("c1", tool, **given), says("over"), session_id=session_id, **(options or {})
    )
    harness.send("go")
    return harness, result_of(harness)


def yes(pattern=None):
    return Permissions(ask=lambda _: Answer(allowed=True, pattern=pattern))


def test_the_contradicting_turn_lists_the_files_and_ends_in_its_text(workspace):
    harness = Harness(workspace, "s1", MockProvider(contradicting(final="Two files.")))
    assert harness.send("What is here?").text == "Two files."
    assert result_of(harness).content == "notes/a.txt\nsecret/key.txt"


def test_a_writing_tool_asks_and_is_not_called_when_nobody_answers(workspace):
    _, result = run_one(workspace, "write_file", path="b.txt", text="x")
    assert result.is_error
    assert "not permitted: the tool writes, and nobody consented" in result.content
    assert not (workspace / "b.txt").exists()


def test_a_consent_is_on_record_with_the_call_it_was_given_for(workspace):
    harness, result = run_one(workspace, "write_file", options={"permissions": yes()}, path="b.txt", text="x")
    assert not result.is_error
    assert (workspace / "b.txt").read_text() == "x"
    [given] = [e.event.data for e in harness.transcript.read() if e.event.kind is Kind.APPROVAL]
    assert (given["call_id"], given["allowed"], given["subject"]) == ("c1", True, "b.txt")


@pytest.mark.parametrize(
    "path", ["secret/key.txt", "./secret/key.txt", "notes/../secret/key.txt", "link/key.txt"]
)
def test_a_denied_file_is_denied_under_every_name(workspace, path):
    (workspace / "link").symlink_to("secret")
    rules = Permissions([Rule(decision="allow"), Rule(decision="deny", pattern="secret/*")])
    _, result = run_one(workspace, "read_file", options={"permissions": rules}, path=path)
    assert result.is_error
    assert "a rule denies it" in result.content


def test_an_absolute_name_of_a_denied_file_is_denied_too(workspace):
    rules = Permissions([Rule(decision="deny", pattern="secret/*")])
    path = str(workspace / "secret" / "key.txt")
    assert (
        "a rule denies it"
        in run_one(workspace, "read_file", options={"permissions": rules}, path=path)[1].content
    )


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", ".harness/audit.jsonl"])
def test_a_path_that_leads_out_is_blocked_before_anybody_is_asked(workspace, path):
    asked = []
    permissions = Permissions(ask=lambda what: asked.append(what) or Answer(allowed=True))
    options = {"permissions": permissions}
    _, result = run_one(workspace, "write_file", options=options, path=path, text="x")
    assert "blocked by the sandbox" in result.content
    assert asked == []


def test_a_deferred_tool_is_permitted_under_its_own_name(workspace):
    script = [
        calls("c1", "search_tools", query="run program"),
        calls("c2", "execute_tool", name="run_command", input={"command": "cat notes/a.txt"}),
        says("over"),
    ]
    denied = Permissions([Rule(decision="deny", tool="run_command")], ask=lambda _: Answer(allowed=True))
    harness = open_harness(workspace, *script, permissions=denied)
    harness.send("go")
    assert "a rule denies it" in result_of(harness).content
    harness = open_harness(workspace, *script, session_id="s2", permissions=yes())
    harness.send("go")
    assert result_of(harness).content == "first note"


def test_a_refused_command_is_not_run_whoever_consents(workspace):
    script = [
        calls("c1", "search_tools", query="run program"),
        calls("c2", "execute_tool", name="run_command", input={"command": "rm -rf notes"}),
        says("over"),
    ]
    harness = open_harness(workspace, *script, permissions=yes("*"))
    harness.send("go")
    assert "blocked by the sandbox" in result_of(harness).content
    assert (workspace / "notes" / "a.txt").exists()


def test_a_large_output_leaves_a_pointer_and_can_be_read_in_parts(workspace):
    (workspace / "big.txt").write_text("0123456789" * 1000)
    harness, result = run_one(workspace, "read_file", path="big.txt")
    assert len(result.content) < 1000
    digest = result.content.split("digest ")[1].rstrip("]")
    harness.provider = MockProvider([calls("c2", "read_output", digest=digest, start=9990), says("over")])
    harness.send("the end of it")
    assert result_of(harness).content == "0123456789"


def test_every_call_is_observed_with_its_evidence_and_without_secrets(workspace):
    (workspace / "big.txt").write_text("x" * 10_000)
    harness, _ = run_one(workspace, "read_file", path="big.txt")
    harness.provider = MockProvider([calls("c2", "read_file", path="sk-" + "a" * 30), says("over")])
    harness.send("go")
    harness.close()
    operations = [record.operation for record in harness.audit.read()]
    assert [(o.stage, o.tool, o.error_class) for o in operations[:3]] == [
        ("model", None, None), ("tool", "read_file", None), ("model", None, None)]  # fmt: skip
    assert operations[0].evidence == "sessions/s1/transcript.jsonl"
    assert operations[1].evidence.startswith("outputs/")
    assert all((workspace / ".harness" / o.evidence).is_file() for o in operations)
    assert operations[0].cost > 0
    assert operations[4].error_class == "ToolError"
    assert "sk-aaa" not in harness.audit.path.read_text()
    assert len({o.operation_id for o in operations}) == len(operations)


def test_the_usage_of_models_and_tools_is_counted(workspace):
    harness, _ = run_one(workspace, "read_file", path="missing.txt")
    [model] = harness.database.model_usage("s1")
    [tool] = harness.database.tool_usage("s1")
    assert (model.calls, model.model) == (2, "mock-default")
    assert (tool.tool, tool.calls, tool.failed) == ("read_file", 1, 1)
    assert harness.database.model_usage("s2") == []


def test_a_session_goes_on_from_its_transcript(workspace):
    first, _ = run_one(workspace, "list_files")
    first.close()
    second = open_harness(workspace, says("again"))
    assert second.messages == first.messages
    assert second.send("and now?").text == "again"
    assert Transcript(transcript_path(workspace, "s1"), "s1").messages() == second.messages


def test_two_sessions_of_one_workspace_share_no_message(workspace):
    run_one(workspace, "list_files")[0].close()
    assert open_harness(workspace, session_id="s2").messages == []


def test_a_grant_is_restored_with_its_session_and_reaches_no_other(workspace):
    options = {"permissions": yes("*.txt")}
    run_one(workspace, "write_file", options=options, path="b.txt", text="1")[0].close()
    again = open_harness(
        workspace, calls("c2", "write_file", path="b.txt", text="2"), says("over"), permissions=Permissions()
    )
    again.send("again")
    assert (workspace / "b.txt").read_text() == "2"
    _, result = run_one(workspace, "write_file", session_id="s2", path="b.txt", text="3")
    assert result.is_error
    assert (workspace / "b.txt").read_text() == "2"


class Bank:
    """A tool that pays, and that remembers the key of what it paid."""

    def __init__(self, dies=True):
        self.paid, self.dies = {}, dies

    def pay(self, to, key):
        self.paid.setdefault(key, to)
        if self.dies:
            raise KeyboardInterrupt
        return f"paid {to}"

    def tool(self, outcome=True):
        found = (lambda key: f"paid {self.paid[key]}" if key in self.paid else None) if outcome else None
        run = self.pay if outcome else lambda to: self.pay(to, f"{len(self.paid)}")
        return Tool("pay", "Pay.", run, {"to": "string"}, writes=True, outcome=found)


def killed_in_the_call(workspace, tool):
    harness = open_harness(workspace, calls("c1", "pay", to="ann"), permissions=yes(), extra_tools=[tool])
    with pytest.raises(KeyboardInterrupt):
        harness.send("pay ann")


def test_a_call_whose_effect_was_done_and_whose_record_is_missing_is_not_done_again(workspace):
    bank = Bank()
    killed_in_the_call(workspace, bank.tool())
    again = open_harness(workspace, says("paid"), extra_tools=[bank.tool()])
    assert result_of(again).content == "paid ann"
    assert again.go_on().text == "paid"
    assert bank.paid == {"c1": "ann"}


def test_a_call_that_never_took_effect_is_said_to_be_so(workspace):
    bank = Bank()
    killed_in_the_call(workspace, bank.tool())
    bank.paid.clear()
    again = open_harness(workspace, extra_tools=[bank.tool()])
    assert "before it took effect" in result_of(again).content
    assert bank.paid == {}


def test_an_outcome_that_nobody_knows_is_said_to_be_unknown_and_the_call_is_not_made(workspace):
    bank = Bank()
    killed_in_the_call(workspace, bank.tool(outcome=False))
    again = open_harness(workspace, extra_tools=[bank.tool(outcome=False)])
    assert "outcome unknown" in result_of(again).content
    assert len(bank.paid) == 1


def test_a_call_that_is_settled_once_is_not_settled_again(workspace):
    bank = Bank()
    killed_in_the_call(workspace, bank.tool())
    first = open_harness(workspace, extra_tools=[bank.tool()])
    assert open_harness(workspace, extra_tools=[bank.tool()]).messages == first.messages


def test_a_deferred_tool_that_was_found_stays_found_after_a_restart(workspace):
    run_one(workspace, "search_tools", query="run program")[0].close()
    assert open_harness(workspace).deferred.found == {"run_command"}


def test_a_call_id_names_one_call_of_a_session(workspace):
    harness, _ = run_one(workspace, "list_files")
    harness.provider = MockProvider([calls("c1", "read_file", path="notes/a.txt")])
    with pytest.raises(ProviderFailed, match="used twice"):
        harness.send("again")


def test_after_its_limit_a_session_can_be_gone_on_with(workspace):
    script = [says(ToolUseBlock(id=f"c{n}", name="list_files")) for n in range(3)]
    harness = open_harness(workspace, *script, says("over"), turn_limit=3)
    with pytest.raises(TurnLimit):
        harness.send("go")
    assert harness.transcript.open_calls() == []
    assert harness.transcript.messages() == harness.messages
    assert harness.go_on().text == "over"


@pytest.mark.parametrize("session_id", ["../s2", "", "a/b", ".", "..", ".hidden", "x" * 101])
def test_a_session_id_that_is_no_plain_name_reaches_no_folder(workspace, session_id):
    with pytest.raises(InvalidValue, match="session_id was refused"):
        open_harness(workspace, session_id=session_id)


def test_what_a_conversation_costs_grows_with_its_length_and_no_faster(tmp_path, monkeypatch):
    written, synced = [], []
    from forge.storage import RealDisk

    append, sync = RealDisk.append, RealDisk.sync
    monkeypatch.setattr(
        RealDisk, "append", lambda self, path, data: (written.append(len(data)), append(self, path, data))
    )
    monkeypatch.setattr(RealDisk, "sync", lambda self, path: (synced.append(path), sync(self, path)))
    harness = Harness(tmp_path, "s1", MockProvider(echo))
    grown = []
    for _ in range(3):
        before = len(written), sum(written), len(synced), len(harness.messages)
        for number in range(100):
            harness.send(f"message {number:03}")
        after = len(written), sum(written), len(synced), len(harness.messages)
        grown.append([b - a for a, b in zip(before, after, strict=True)])
    first, second, third = grown
    assert first[0] == second[0] == third[0] == 300  # a message, a reply, an operation
    assert first[3] == second[3] == third[3] == 200
    assert abs(third[1] - second[1]) < 0.02 * second[1]
    assert abs(third[2] - second[2]) <= 1


def test_what_is_switched_off_is_missing_and_nothing_else_is(workspace):
    harness, result = run_one(
        workspace, "write_file", options={"off": {"permissions"}}, path="b.txt", text="x"
    )
    assert not result.is_error
    _, result = run_one(workspace, "list_files", session_id="s2", options={"off": {"tools"}})
    assert "no tool is called" in result.content
    harness, _ = run_one(workspace, "list_files", session_id="s3", options={"off": {"transcript"}})
    assert harness.transcript is None
    harness, _ = run_one(workspace, "list_files", session_id="s4", options={"off": {"audit"}})
    assert all(record.operation.session_id != "s4" for record in harness.audit.read())
    (workspace / "big.txt").write_text("x" * 10_000)
    _, result = run_one(
        workspace, "read_file", session_id="s5", options={"off": {"externalise"}}, path="big.txt"
    )
    assert len(result.content) == 10_000
    harness, _ = run_one(workspace, "list_files", session_id="s6", options={"off": {"routing"}})
    assert harness.database.model_usage("s6")[0].model == "mock-craft"


def test_what_a_model_is_told_of_leaves_the_deferred_tools_out(workspace):
    seen = []

    def script(request, _number):
        seen.append([tool["name"] for tool in request.tools])
        return says("over")

    Harness(workspace, "s1", MockProvider(script)).send("go")
    Harness(workspace, "s2", MockProvider(script), off={"deferred"}).send("go")
    assert "run_command" not in seen[0]
    assert "run_command" in seen[1]
    assert "search_tools" not in seen[1]


def test_a_stop_reason_is_kept_as_a_fact(workspace):
    harness = Harness(workspace, "s1", MockProvider(contradicting()))
    harness.send("go")
    facts = [json.loads(line)["event"]["facts"] for line in harness.audit.path.read_text().splitlines()]
    assert [fact.get("stop_reason") for fact in facts] == ["end_turn", None, "tool_use"]


def test_a_call_that_was_interrupted_has_its_result_before_anything_else_is_said(workspace):
    bank = Bank()
    script = [calls("c1", "pay", to="ann"), says("paid"), says("more")]
    for session_id, off in (("s1", ()), ("s2", {"transcript"})):
        harness = open_harness(
            workspace, *script, session_id=session_id, permissions=yes(), extra_tools=[bank.tool()], off=off
        )
        with pytest.raises(KeyboardInterrupt):
            harness.send("pay ann")
        assert harness.send("and?").text == "paid"
        assert [message.role for message in harness.messages] == [
            "user",
            "assistant",
            "user",
            "user",
            "assistant",
        ]
        assert harness.messages[2].tool_results[0].content == "paid ann"


@pytest.mark.parametrize("file", ["sessions/s1/transcript.jsonl", "audit.jsonl"])
@pytest.mark.parametrize("left", [b'{"event":{"da', b"\0\0\0\0"])
def test_a_line_that_was_cut_is_set_aside_and_the_session_goes_on(workspace, file, left):
    first, _ = run_one(workspace, "list_files")
    first.close()
    path = workspace / ".harness" / file
    path.write_bytes(path.read_bytes() + left)
    again = open_harness(workspace, says("again"))
    assert again.messages == first.messages
    again.send("and now?")
    again.close()
    assert again.audit.verify().holds
    assert open_harness(workspace).messages == again.messages


def test_a_transcript_that_is_only_a_cut_line_is_an_empty_session(workspace):
    path = transcript_path(workspace, "s1")
    path.parent.mkdir(parents=True)
    path.write_bytes(b'{"event":')
    harness = open_harness(workspace)
    assert harness.messages == []
    assert harness.transcript.read()[0].event.data["set_aside"] == 9


def test_a_damaged_transcript_is_told_and_never_gone_on_with(workspace):
    run_one(workspace, "list_files")[0].close()
    path = transcript_path(workspace, "s1")
    path.write_bytes(path.read_bytes().replace(b'"go"', b'"no"'))
    before = path.read_bytes()
    with pytest.raises(DamagedRecord):
        open_harness(workspace)
    assert path.read_bytes() == before
