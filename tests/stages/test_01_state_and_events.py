"""Stage 1: what a history promises. Every test is a sentence about it, and so is every failure."""

from __future__ import annotations

import contextlib
import math
import time

from forge.errors import SequenceGap, StaleWriter
from forge.log import ChainLog
from forge.state import EventKind, RunEvent, RunState, RunStatus, apply_event, reduce_events

WORDS = {"step": " draft ", "reason": " disk full "}
"""A payload with which every kind of event is complete."""


def event(sequence, kind, payload, *, run_id="run-1"):
    return RunEvent(event_id=f"e{sequence}", run_id=run_id, sequence=sequence, kind=kind, payload=payload)


def created(sequence=1, **payload):
    return event(sequence, "run_created", payload)


def step(sequence, name, *, run_id="run-1"):
    return event(sequence, "step_started", {"step": name}, run_id=run_id)


def revoked(sequence):
    return event(sequence, "write_permission_revoked", {})


def completed(sequence):
    return event(sequence, "run_completed", {})


def failed(sequence, reason):
    return event(sequence, "run_failed", {"reason": reason})


def standing(state):
    """A state in one line, so that a failure can be read in one look."""
    permission = "may write" if state.write_allowed else "may not write"
    return f"{state.status} at {state.current_step}, {permission}, version {state.version}"


def replayed(events, initial=None):
    """Where a replay ends, or the refusal it ends with."""
    try:
        return standing(reduce_events(events, initial))
    except ValueError as error:
        return f"{type(error).__name__}: {error}"


def refusal(words, act, *values):
    """`ValueError: … words …` if that is how `act` refuses the values, else what it did instead."""
    try:
        accepted = act(*values)
    except NotImplementedError:
        raise
    except Exception as error:
        fits = isinstance(error, ValueError) and words in str(error)
        return f"ValueError: … {words} …" if fits else f"{type(error).__name__}: {error}"
    return f"accepted: {standing(accepted)}" if isinstance(accepted, RunState) else f"accepted: {accepted!r}"


def test_events_rebuild_the_same_state_deterministically():
    events = [created(), step(2, "inspect"), revoked(3)]
    expected = "running at inspect, may not write, version 3"
    assert replayed(events) == expected, "three events must give the state they describe"
    assert reduce_events(events) == reduce_events(events), "the same events must give the same state"
    assert reduce_events(events).last_event_id == "e3", "the state must name the last event"


def test_sequence_gaps_are_rejected():
    found = refusal("contiguous", reduce_events, [created(), revoked(2)])
    found = "accepted" if found.startswith("accepted") else found
    assert found == "accepted", "the next event must be accepted: events 1, 2"

    expected = "ValueError: … contiguous …"
    found = refusal("contiguous", reduce_events, [created(), revoked(3)])
    assert found == expected, "a sequence gap must be rejected: events 1, 3"
    found = refusal("contiguous", reduce_events, [created(), revoked(2), revoked(2)])
    assert found == expected, "a repeated sequence must be rejected: events 1, 2, 2"
    found = refusal("contiguous", reduce_events, [created(), revoked(2), revoked(1)])
    assert found == expected, "a sequence that goes back must be rejected: events 1, 2, 1"
    run = reduce_events([created(), revoked(2)])
    for kind in EventKind:
        found = refusal("contiguous", apply_event, run, event(9, kind, WORDS))
        assert found == expected, f"a gap before {kind} must be rejected"

    ended = reduce_events([created(), completed(2)])
    found = refusal("contiguous", apply_event, ended, step(4, "inspect"))
    assert found == expected, "after the end, a gap must be named before the end"


def test_terminal_runs_reject_later_events():
    expected = "ValueError: … a terminal run …"
    for end in (completed(2), failed(2, "disk full")):
        ended = reduce_events([created(), end])
        for kind in EventKind:
            found = refusal("a terminal run", apply_event, ended, event(3, kind, WORDS))
            assert found == expected, f"a {ended.status} run must reject {kind}"


def test_a_history_begins_with_the_creation_of_its_run():
    words = "the first event must create the run at sequence 1"
    expected = f"ValueError: … {words} …"
    found = refusal(words, apply_event, None, created(2))
    assert found == expected, "a run must not begin at sequence 2"
    found = refusal(words, apply_event, None, step(1, "inspect"))
    assert found == expected, "a run must not begin with a step"
    found = refusal("created once", apply_event, reduce_events([created()]), created(2))
    assert found == "ValueError: … created once …", "a run must not be created again"
    found = refusal("at least one event", reduce_events, [])
    assert found == "ValueError: … at least one event …", "no events must not give a state"


def test_an_event_of_another_run_is_rejected():
    expected = "ValueError: … different run …"
    for sequence in (1, 2, 9):
        other = step(sequence, "inspect", run_id="run-2")
        found = refusal("different run", apply_event, reduce_events([created()]), other)
        assert found == expected, f"event {sequence} of run-2 must be rejected as one of another run"


def test_each_event_changes_what_it_names_and_nothing_else():
    # Far into a run, and with ids that say nothing about the order.
    running = RunState(
        run_id="run-1", status="running", version=299, last_event_id="oak", current_step="plan"
    )
    before = running.model_dump()
    ended = {"status": RunStatus.COMPLETED, "current_step": None}
    changes = {
        EventKind.STEP_STARTED: {"current_step": "draft"},
        EventKind.WRITE_PERMISSION_REVOKED: {"write_allowed": False},
        EventKind.RUN_COMPLETED: ended,
        EventKind.RUN_FAILED: {**ended, "status": RunStatus.FAILED, "failure_reason": "disk full"},
    }
    for kind, change in changes.items():
        elm = RunEvent(event_id="elm", run_id="run-1", sequence=300, kind=kind, payload=WORDS)
        expected = {**before, **change, "version": 300, "last_event_id": "elm"}
        found = apply_event(running, elm).model_dump()
        assert found == expected, f"{kind} must change what it names and nothing else"
        assert running.model_dump() == before, f"{kind} must not change the state it was given"


def test_a_step_and_a_failure_say_what_they_are():
    run = reduce_events([created()])
    for nothing in ({}, {"step": None, "reason": None}, {"step": " ", "reason": " "}):
        found = refusal("non-empty step", apply_event, run, event(2, "step_started", nothing))
        assert found == "ValueError: … non-empty step …", f"a step must be named, not {nothing}"
        found = refusal("requires a reason", apply_event, run, event(2, "run_failed", nothing))
        assert found == "ValueError: … requires a reason …", f"a failure must have a reason, not {nothing}"


def test_a_permission_given_as_text_is_rejected():
    for flag in (True, False):
        found = reduce_events([created(write_allowed=flag)]).write_allowed
        assert found is flag, f"the flag {flag} must be kept"
    assert reduce_events([created()]).write_allowed is True, "a run must be allowed to write by default"
    for flag in ("false", "true", "", 0, 1, None):
        found = refusal("write_allowed", reduce_events, [created(write_allowed=flag)])
        assert found == "ValueError: … write_allowed …", f"the flag {flag!r} must be rejected"


def test_the_tenth_event_comes_after_the_ninth():
    chapters = [step(number, f"chapter {number}") for number in range(2, 11)]
    events = [created(), *chapters, completed(11)]
    expected = "completed at None, may write, version 11"
    assert replayed(events) == expected, "eleven events must be applied in the order of their sequence"
    trees = ["oak", "elm", "ash", "fir", "yew", "box", "bay", "fig", "tea", "sal", "ule"]
    named = [one.model_copy(update={"event_id": tree}) for one, tree in zip(events, trees, strict=True)]
    assert replayed(named) == expected, "ids that say nothing about the order must not change it"


def test_the_same_events_give_the_same_state_on_another_day(monkeypatch):
    events = [created(), step(2, "inspect"), failed(3, "disk full")]

    def reason_on(day):
        monkeypatch.setattr(time, "time", lambda: day * 86_400.0)
        return reduce_events(events).failure_reason

    found = {name: reason_on(day) for name, day in (("on Monday", 4), ("on Tuesday", 5))}
    expected = {"on Monday": "disk full", "on Tuesday": "disk full"}
    assert found == expected, "the same events must give the same reason on another day"


def test_every_prefix_replays():
    events = [created(), step(2, "plan"), revoked(3), step(4, "draft"), completed(5)]
    expected = [
        "created at None, may write, version 1",
        "running at plan, may write, version 2",
        "running at plan, may not write, version 3",
        "running at draft, may not write, version 4",
        "completed at None, may not write, version 5",
    ]
    for length, standing_then in enumerate(expected, start=1):
        assert replayed(events[:length]) == standing_then, f"the history up to event {length} must replay"
        prefix = reduce_events(events[:length])
        assert replayed(events[length:], prefix) == expected[-1], f"a replay must go on from event {length}"


def test_a_payload_that_json_would_change_is_rejected():
    plain = {"files": ["a.txt", {"size": 2.5, "new": True}], "note": None, "ends": [-(2**53) + 1, 2**53 - 1]}

    def kept(payload):
        return event(1, "run_created", payload).payload

    payload = kept(plain)
    assert payload == plain, "a payload that JSON keeps must be kept"
    with contextlib.suppress(TypeError):
        payload["files"][1]["size"] = 3.0
    assert payload == plain, "a payload must not change, at any depth"

    changing = {
        "payload": {1: "a"},
        "payload.seen": {"seen": {True: "yes"}},
        "payload.both": {"both": {"1": "a", 1: "b"}},
        "payload.point": {"point": (1, 2)},
        "payload.scores[1]": {"scores": [0.5, math.nan]},
        "payload.limits[0].high": {"limits": [{"high": math.inf}]},
        "payload.count": {"count": 2**53},
    }
    for path, payload in changing.items():
        found = refusal(path, kept, payload)
        assert found == f"ValueError: … {path} …", (
            f"the payload {payload} must be rejected, with the path {path}"
        )


def test_a_writer_ahead_of_the_log_is_not_a_stale_one(tmp_path):
    log = ChainLog(tmp_path / "run-1.jsonl")
    for number in (1, 2):
        log.append({"sequence": number}, expected=number - 1)

    def conflict(expected):
        try:
            record = log.append({"sequence": expected + 1}, expected=expected)
        except (StaleWriter, SequenceGap) as error:
            return f"refused with {type(error).__name__}"
        return f"appended as record {record.number}"

    found = conflict(1)
    assert found == "refused with StaleWriter", (
        "a writer that has missed record 2 must be told that it is stale"
    )
    for ahead in (5, 3):
        found = conflict(ahead)
        message = f"a writer that expects {ahead} records in a log of 2 must be told of the gap"
        assert found == "refused with SequenceGap", message
    assert len(log.read()) == 2, "a writer that was refused must have written nothing"
