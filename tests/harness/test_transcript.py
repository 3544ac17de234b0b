"""Mechanism 9: the transcript."""

import pytest

from forge.errors import DamagedRecord, LogError, TornTail
from forge.fakes import FakeClock
from forge.harness.messages import ToolResultBlock, ToolUseBlock, assistant, results, user
from forge.harness.transcript import Kind, Transcript

CALLS = assistant(ToolUseBlock(id="a", name="x"), ToolUseBlock(id="b", name="y"))


def result(call_id):
    return ToolResultBlock(tool_use_id=call_id, content=f"result of {call_id}")


@pytest.fixture
def transcript(tmp_path):
    return Transcript(tmp_path / "t.jsonl", "s1", now=FakeClock())


def talk(transcript):
    transcript.append(Kind.SESSION_OPENED)
    transcript.append_message(user("go"))
    transcript.append_message(CALLS)
    transcript.append_result(result("a"))
    transcript.append_result(result("b"))
    transcript.append_message(assistant("done"))


def again(transcript, session_id="s1"):
    return Transcript(transcript.path, session_id)


def test_messages_come_back_as_they_were_said(transcript):
    talk(transcript)
    said = [user("go"), CALLS, results([result("a"), result("b")]), assistant("done")]
    assert again(transcript).messages() == said


def test_appending_never_changes_what_stands_before(transcript):
    before = b""
    for number in range(5):
        transcript.append_message(user(f"message {number}"))
        now = transcript.path.read_bytes()
        assert now.startswith(before)
        before = now


def test_a_call_without_its_result_is_open_and_only_that_one(transcript):
    transcript.append_message(user("go"))
    transcript.append_message(CALLS)
    assert [call.id for call in again(transcript).open_calls()] == ["a", "b"]
    transcript.append_result(result("a"))
    assert [call.id for call in again(transcript).open_calls()] == ["b"]


def test_a_transcript_of_another_session_is_not_opened(transcript):
    talk(transcript)
    with pytest.raises(LogError, match="holds one session"):
        again(transcript, "s2")


def test_a_line_of_another_session_in_the_middle_is_not_read(transcript, tmp_path):
    transcript.append_message(user("mine"))
    other = Transcript(tmp_path / "other.jsonl", "s2")
    other._log = transcript._log
    other.append_message(user("not mine"))
    with pytest.raises(LogError, match="is of s2"):
        again(transcript).messages()


def test_a_torn_last_line_is_told_and_set_aside_and_no_whole_message_is_lost(transcript):
    talk(transcript)
    transcript.path.write_bytes(transcript.path.read_bytes()[:-20])
    torn = again(transcript)
    with pytest.raises(TornTail):
        torn.messages()
    assert torn.repair().count == 5
    assert torn.messages()[:3] == [user("go"), CALLS, results([result("a"), result("b")])]


def test_an_edited_message_is_refused(transcript):
    talk(transcript)
    transcript.path.write_bytes(transcript.path.read_bytes().replace(b'"go"', b'"no"'))
    with pytest.raises(DamagedRecord):
        again(transcript).messages()


def test_any_prefix_of_a_session_has_a_state(transcript):
    talk(transcript)
    history = again(transcript).history()
    assert history.refusal is None
    assert [history.at(n).open_calls for n in range(1, 7)] == [(), (), ("a", "b"), ("b",), (), ()]
    assert (history.at(6).messages, history.at(6).turns) == (3, 2)


def test_approvals_and_compactions_are_marked(transcript):
    transcript.append(Kind.APPROVAL, {"call_id": "a", "allowed": True})
    transcript.append(Kind.APPROVAL, {"call_id": "b", "allowed": False})
    transcript.append(Kind.COMPACTION)
    history = transcript.history()
    assert history.at(3).approvals == ("a",)
    assert history.at(3).compactions == 1


def test_times_are_for_people_and_order_is_by_number(tmp_path):
    clock = FakeClock()
    transcript = Transcript(tmp_path / "t.jsonl", "s1", now=clock)
    for word in ("first", "second"):
        transcript.append_message(user(word))
    assert [message.text for message in transcript.messages()] == ["first", "second"]
    assert len({entry.event.at for entry in transcript.read()}) == 1
