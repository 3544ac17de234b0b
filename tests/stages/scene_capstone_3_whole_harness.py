"""Capstone 3, another scene: what must be true of three days at the desk of a library."""

from __future__ import annotations

from forge.course.scenes import library_desk
from forge.harness.transcript import Transcript, transcript_path


def test_the_desk_lends_what_it_may_and_nothing_twice(tmp_path):
    found = library_desk(tmp_path)
    shape = len(found) if isinstance(found, list | tuple) else type(found).__name__
    assert shape == 3, "the scene must return three sessions"
    desk = tmp_path / "desk"
    days = [getattr(each, "session_id", each) for each in found]
    assert days == ["monday", "tuesday", "wednesday"], "the sessions must be those of the three days"
    told = {}
    for day in days:
        path = transcript_path(desk, day)
        assert path.is_file(), f"{day} must have its transcript in the desk"
        messages = Transcript(path, day).messages()
        called = [call for message in messages for call in message.tool_uses]
        done = {result.tool_use_id: result for message in messages for result in message.tool_results}
        assert all(call.id in done for call in called), f"every call of {day} must have a result"
        told[day] = [(call.name, call.input.get("book"), done[call.id]) for call in called]
    monday = [(name, subject, result.is_error) for name, subject, result in told["monday"]]
    expected = [("lend", "novels/blue", False), ("lend", "rare/atlas", True)]
    assert monday == expected, "on Monday only the novel must be lent"
    assert "a rule denies it" in told["monday"][1][2].content, "the atlas must be denied by a rule"
    tuesday = [(name, subject, result.is_error) for name, subject, result in told["tuesday"]]
    assert tuesday == [("lend", "novels/red", True)], "on Tuesday nobody is there, so nothing must be lent"
    assert "nobody consented" in told["tuesday"][0][2].content, "it must be the missing consent that stops it"
    wednesday = [(name, subject, result.is_error) for name, subject, result in told["wednesday"]]
    assert wednesday == [("lend", "novels/green", True)], "on Wednesday the open call must be settled"
    assert "outcome unknown" in told["wednesday"][0][2].content, "what came of it must be left open"
