"""Mechanisms 5 to 7: main process, sidecar, and a child process for each session."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from forge.errors import HarnessError, InvalidValue, PeerLost, SessionRefused
from forge.harness.jsonrpc import answer, notification
from forge.harness.main_process import MainProcess
from forge.harness.messages import ToolResultBlock, ToolUseBlock, assistant, user
from forge.harness.ring_buffer import RingBuffer
from forge.harness.runs import RunLog
from forge.harness.sessions import Sessions
from forge.harness.sqlite_database import HarnessDatabase
from forge.harness.transcript import Kind, Transcript, transcript_path
from forge.state.session import RecordStatus

METHODS = {"add": lambda a, b=1: a + b, "fail": lambda: 1 / 0}


def ask(**message):
    return json.loads(answer(json.dumps({"jsonrpc": "2.0", "id": 7, **message}).encode(), METHODS))


def test_a_method_is_called_with_named_parameters_and_its_result_has_the_number_of_the_request():
    assert ask(method="add", params={"a": 1, "b": 2}) == {"jsonrpc": "2.0", "id": 7, "result": 3}
    assert ask(method="add", params={"a": 1})["result"] == 2


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"method": "nothing"}, -32601),
        ({"method": "add", "params": {"c": 1}}, -32602),
        ({"method": "add", "params": [1, 2]}, -32600),
        ({"method": 3}, -32600),
        ({"method": "add", "jsonrpc": "1.0"}, -32600),
        ({"method": "add", "id": {"a": 1}}, -32600),
        ({"method": "fail"}, -32000),
    ],
)
def test_whatever_goes_wrong_has_the_code_of_the_specification(message, code):
    assert ask(**message)["error"]["code"] == code


@pytest.mark.parametrize("line", [b"{", b'{"id":1,"id":2}', b"\xff", b""])
def test_a_line_that_is_no_json_is_answered_with_a_parse_error(line):
    assert json.loads(answer(line, METHODS))["error"]["code"] == -32700


def test_a_notification_is_done_and_not_answered():
    heard = []
    assert answer(notification("hear", text="x"), {"hear": lambda text: heard.append(text)}) is None
    assert heard == ["x"]


def test_a_ring_buffer_keeps_the_last_events_and_says_how_many_were_missed():
    buffer = RingBuffer(3)
    assert buffer.after(0) == ([], 0, 0)
    for number in range(1, 6):
        assert buffer.add({"n": number}) == number
    assert buffer.after(0) == ([{"n": 3}, {"n": 4}, {"n": 5}], 5, 2)
    assert buffer.after(3) == ([{"n": 4}, {"n": 5}], 5, 0)
    assert buffer.after(5) == ([], 5, 0)
    assert buffer.after(9) == ([], 5, 0)


def test_a_ring_buffer_holds_at_least_one():
    with pytest.raises(InvalidValue, match="capacity was refused"):
        RingBuffer(0)


def test_runs_of_a_session_are_those_of_stage_2(tmp_path):
    log = RunLog(tmp_path, "s1")
    first = log.start()
    with pytest.raises(SessionRefused, match="a run is going on"):
        log.start()
    log.finish(first, RecordStatus.FAILED)
    second = log.start(retries=first)
    log.finish(second, RecordStatus.COMPLETED)
    runs = RunLog(tmp_path, "s1").session().runs
    assert [(run.run_id, run.status, run.retries) for run in runs] == [
        ("run-1", "failed", None), ("run-2", "completed", "run-1")]  # fmt: skip
    with pytest.raises(SessionRefused, match="cannot be tried again"):
        log.start(retries=second)


def forkable(tmp_path):
    transcript = Transcript(transcript_path(tmp_path, "s1"), "s1")
    transcript.append_message(user("go"))
    transcript.append_message(assistant(ToolUseBlock(id="c", name="write_file")))
    granted = {
        "call_id": "c",
        "allowed": True,
        "pattern": "*",
        "agent": "main",
        "tool": "write_file",
        "subject": "a",
    }
    transcript.append(Kind.APPROVAL, granted)
    transcript.append_result(ToolResultBlock(tool_use_id="c", content="done"))
    transcript.append_message(assistant("over"))
    return transcript


def test_going_back_in_time_is_a_new_session_without_the_approvals_of_the_old_one(tmp_path):
    old = forkable(tmp_path)
    Sessions(tmp_path).fork("s1", "s2", 3)
    new = Transcript(transcript_path(tmp_path, "s2"), "s2")
    assert new.messages() == old.messages()[:3]
    assert Kind.APPROVAL not in [entry.event.kind for entry in new.read()]


@pytest.mark.parametrize("messages", [2, 5, -1])
def test_a_session_is_not_forked_between_a_call_and_its_result_nor_where_there_is_nothing(tmp_path, messages):
    forkable(tmp_path)
    with pytest.raises(HarnessError, match="cannot be forked"):
        Sessions(tmp_path).fork("s1", "s2", messages)


def test_a_session_that_exists_is_not_forked_over(tmp_path):
    forkable(tmp_path)
    with pytest.raises(HarnessError, match="s1 exists already"):
        Sessions(tmp_path).fork("s1", "s1", 1)


@pytest.fixture(scope="module")
def main(tmp_path_factory):
    workspace = tmp_path_factory.mktemp("a folder with a name that is " + "long " * 20)
    (workspace / "a.txt").write_text("hello")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORGE_HOME", str(tmp_path_factory.mktemp("home")))
        with MainProcess(workspace, capacity=5) as started:
            yield started


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path_factory):
    monkeypatch.setenv("FORGE_HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.delenv("FORGE_PROVIDER", raising=False)


def until(true, what):
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.01)


def gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_the_sidecar_is_another_process_and_answers(main):
    assert main.sidecar_pid != os.getpid()
    assert main.call("ping") == "pong"


def test_an_unknown_method_is_refused_and_the_next_one_is_answered(main):
    with pytest.raises(PeerLost, match="no method is called 'nothing'"):
        main.call("nothing")
    assert main.call("ping") == "pong"


def test_each_session_is_a_child_process_of_its_own_and_knows_only_its_own_messages(main):
    one, two = main.call("session.open", session_id="one"), main.call("session.open", session_id="two")
    assert len({one["pid"], two["pid"], main.sidecar_pid, os.getpid()}) == 4
    assert main.call("session.send", session_id="one", text="first")["text"] == "You said: first"
    assert main.call("session.send", session_id="one", text="list")["text"] == "a.txt"
    assert main.call("session.open", session_id="one")["runs"] == [
        {"run_id": "run-1", "status": "completed"}, {"run_id": "run-2", "status": "completed"}]  # fmt: skip
    assert main.call("session.open", session_id="two")["runs"] == []


def test_what_a_session_says_is_in_the_ring_buffer_up_to_its_capacity(main):
    main.call("session.send", session_id="talker", text="word " * 40)
    missed = main.call("events", after=0)
    assert len(missed["events"]) == 5
    assert missed["lost"] == missed["last"] - 5 > 0
    assert {event["session_id"] for event in missed["events"]} == {"talker"}
    assert main.call("events", after=missed["last"])["events"] == []


def test_a_writing_tool_is_refused_where_there_is_nobody_to_ask(main):
    assert "nobody consented" in main.call("session.send", session_id="writer", text="write b.txt")["text"]
    assert not (main.workspace / "b.txt").exists()


def test_a_child_that_is_killed_takes_only_its_own_session_along_and_is_gone_on_with(main):
    victim, other = (
        main.call("session.open", session_id="victim"),
        main.call("session.open", session_id="other"),
    )
    main.call("session.send", session_id="victim", text="remember this")
    os.kill(victim["pid"], signal.SIGKILL)
    until(lambda: main.call("session.open", session_id="victim")["pid"] != victim["pid"], "a new child")
    assert main.call("session.open", session_id="other")["pid"] == other["pid"]
    again = main.call("session.open", session_id="victim")
    assert (again["messages"], len(again["runs"])) == (2, 1)


def test_a_session_has_one_process_whoever_asks(main):
    main.call("session.open", session_id="mine")
    with Sessions(main.workspace) as others, pytest.raises(PeerLost, match="open elsewhere"):
        others.open("mine")


def test_a_run_whose_process_died_has_failed_and_is_retried_as_a_new_run(tmp_path):
    log = RunLog(tmp_path, "s1")
    log.start()
    Transcript(transcript_path(tmp_path, "s1"), "s1").append_message(user("half done"))
    with Sessions(tmp_path) as sessions:
        assert sessions.open("s1")["runs"] == [{"run_id": "run-1", "status": "failed"}]
        retried = sessions.retry("s1")
    assert (retried["run_id"], retried["text"]) == ("run-2", "You said: half done")
    assert log.session().runs[1].retries == "run-1"
    with HarnessDatabase(tmp_path / ".harness" / "harness.sqlite3") as database:
        rows = [tuple(row) for row in database.database.read("SELECT * FROM runs ORDER BY run_id")]
    assert rows == [("s1", "run-1", "failed", None), ("s1", "run-2", "completed", "run-1")]


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this system has no Unix sockets")
def test_the_socket_is_for_its_owner_and_wants_the_token(main):
    path = main._socket.getpeername()
    assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect(path)
        stranger.sendall(b"guess\n" + b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        assert b"wrong token" in stranger.makefile("rb").readline()


def test_a_sidecar_that_is_killed_is_told_and_its_sessions_end_and_go_on_after_a_restart(tmp_path):
    with MainProcess(tmp_path) as main:
        child = main.call("session.open", session_id="s1")["pid"]
        main.call("session.send", session_id="s1", text="remember this")
        os.kill(main.sidecar_pid, signal.SIGKILL)
        with pytest.raises(PeerLost, match="sidecar is gone"):
            main.call("ping")
        until(lambda: gone(child), "the session of a dead sidecar ends")
        main.restart()
        assert main.call("session.open", session_id="s1")["messages"] == 2


def test_nothing_is_left_when_the_main_process_is_killed(tmp_path):
    code = (
        "import sys; from forge.harness.main_process import MainProcess\n"
        "main = MainProcess(sys.argv[1]); child = main.call('session.open', session_id='s1')['pid']\n"
        "print(main.sidecar_pid, child, flush=True); sys.stdin.read()"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with started:
        sidecar, child = map(int, started.stdout.readline().split())
        started.kill()
    until(lambda: gone(sidecar) and gone(child), "sidecar and session end with the main process")
