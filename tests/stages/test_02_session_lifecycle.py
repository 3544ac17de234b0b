"""Stage 2: what a session promises of its runs. Every test and every failure is a sentence about it."""

from __future__ import annotations

from forge.state.session import Session, finish_run, start_run

ENDS = ("completed", "failed", "cancelled")


def named(number):
    """An id that is equal to others of its number and never the same object."""
    return f"run-{number}"


def session_with(*run_ids, session_id="session-a"):
    session = Session(session_id=session_id)
    for run_id in run_ids:
        session = start_run(session, run_id)
        assert isinstance(session, Session), f"starting {run_id} must give a session"
    return session


def told(session):
    """The runs of a session in one line, so that a failure can be read in one look."""
    again = [f" retries {run.retries}" if run.retries else "" for run in session.runs]
    runs = zip(session.runs, again, strict=True)
    return ", ".join(f"{run.run_id}{retries} {run.status}" for run, retries in runs) or "no runs"


def outcome(act, *values, **more):
    """The runs of the session that `act` gives, or the error that it raises."""
    try:
        session = act(*values, **more)
    except NotImplementedError:
        raise
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return told(session) if isinstance(session, Session) else f"returned {session!r}"


def refusal(kind, words, act, *values, **more):
    """`kind: … words …` if that is how `act` refuses the values, else what it did instead."""
    try:
        accepted = act(*values, **more)
    except NotImplementedError:
        raise
    except Exception as error:
        fits = isinstance(error, kind) and words in str(error)
        return f"{kind.__name__}: … {words} …" if fits else f"{type(error).__name__}: {error}"
    if isinstance(accepted, Exception):
        return f"returned, not raised: {type(accepted).__name__}: {accepted}"
    return f"accepted: {told(accepted)}" if isinstance(accepted, Session) else f"accepted: {accepted!r}"


def test_session_tracks_multiple_runs_without_merging_them():
    empty = session_with()
    both = session_with("run-1", "run-2")
    assert told(both) == "run-1 active, run-2 active", "a session must hold its runs in the order they start"
    assert both.active_run_ids == ("run-1", "run-2"), "runs that have started must be active, oldest first"
    assert told(empty) == "no runs", "starting a run must not change the session it was given"

    one_left = finish_run(both, "run-2", "failed")
    assert told(one_left) == "run-1 active, run-2 failed", "finishing run-2 must not touch run-1"
    one_left = finish_run(both, "run-1", "completed")
    assert told(one_left) == "run-1 completed, run-2 active", "finishing run-1 must not touch run-2"
    assert one_left.active_run_ids == ("run-2",), "a run that has finished must not be active"
    assert told(both) == "run-1 active, run-2 active", "finishing a run must not change the session given"
    assert one_left.session_id == "session-a", "a session must stay the same session"


def test_duplicate_run_id_is_rejected():
    expected = "ValueError: … unique …"
    session = session_with(named(1), named(2), named(3))
    for number in (1, 2, 3):
        found = refusal(ValueError, "unique", start_run, session, named(number))
        assert found == expected, f"a second run-{number} must be rejected"
    for first, second in (("run-1", "run-10"), ("run-10", "run-1"), ("run-1", "Run-1")):
        found = outcome(session_with, first, second)
        assert found == f"{first} active, {second} active", f"{second} must be accepted beside {first}"
    for spaced in (" run-1", "run-1 "):
        found = outcome(session_with, "run-1", spaced)
        assert found == f"run-1 active, {spaced} active", f"the id {spaced!r} must be accepted beside 'run-1'"
    found = outcome(session_with, named(1), session_id="session-b")
    assert found == "run-1 active", "another session must be free to use the same id"


def test_an_id_stays_taken_when_its_run_has_ended():
    expected = "ValueError: … unique …"
    for status in ("failed", "cancelled", "completed"):
        session = finish_run(session_with(named(1), named(2)), named(1), status)
        found = refusal(ValueError, "unique", start_run, session, named(1))
        assert found == expected, f"the id of a {status} run must not be given again"
        assert told(session) == f"run-1 {status}, run-2 active", f"a {status} run must stay as it was"
    failed = finish_run(session_with(named(1)), named(1), "failed")
    found = refusal(ValueError, "unique", start_run, failed, named(1), retries=named(1))
    assert found == expected, "a retry must not inherit the id of the run that it tries again"


def test_a_retry_is_a_new_run_that_names_the_old_one():
    failed = finish_run(session_with("run-1", "run-2"), "run-1", "failed")
    found = outcome(start_run, failed, "run-3", retries="run-1")
    expected = "run-1 failed, run-2 active, run-3 retries run-1 active"
    assert found == expected, "a retry must be a run of its own that names the run it tries again"
    found = outcome(start_run, failed, "run-3")
    expected = "run-1 failed, run-2 active, run-3 active"
    assert found == expected, "a run that does not say what it retries must retry nothing"


def test_only_a_run_that_did_not_succeed_is_tried_again():
    words = "cannot be tried again"
    expected = f"ValueError: … {words} …"
    active = session_with("run-1")
    found = refusal(ValueError, words, start_run, active, "run-2", retries="run-1")
    assert found == expected, "a run that is still active must not be tried again"
    completed = finish_run(active, "run-1", "completed")
    found = refusal(ValueError, words, start_run, completed, "run-2", retries="run-1")
    assert found == expected, "a run that completed must not be tried again"
    found = refusal(KeyError, "run-9", start_run, active, "run-2", retries="run-9")
    assert found == "KeyError: … run-9 …", "a run that does not exist must not be tried again"
    for status in ("failed", "cancelled"):
        found = outcome(start_run, finish_run(active, "run-1", status), "run-2", retries="run-1")
        expected = f"run-1 {status}, run-2 retries run-1 active"
        assert found == expected, f"it must be possible to try a {status} run again"


def test_a_run_is_tried_again_once():
    words = "cannot be tried again"
    for status in ("failed", "cancelled"):
        ended = finish_run(session_with(named(1)), named(1), status)
        second = start_run(ended, named(2), retries=named(1))
        for session in (second, finish_run(second, named(2), "failed")):
            found = refusal(ValueError, words, start_run, session, named(3), retries=named(1))
            assert found == f"ValueError: … {words} …", "run-1 must not be tried again twice"
        found = outcome(start_run, finish_run(second, named(2), "failed"), named(3), retries=named(2))
        expected = f"run-1 {status}, run-2 retries run-1 failed, run-3 retries run-2 active"
        assert found == expected, "a third attempt must be able to follow the second"


def test_a_run_ends_with_a_status_that_is_an_end():
    words = "finish status must be terminal"
    session = session_with("run-1", "run-2")
    for status in ("active", "running", "Completed", "", None):
        found = refusal(ValueError, words, finish_run, session, "run-1", status)
        assert found == f"ValueError: … {words} …", f"{status!r} must not end a run"
    for status in ENDS:
        found = outcome(finish_run, session, "run-2", status)
        assert found == f"run-1 active, run-2 {status}", f"a run must be able to end as {status}"


def test_a_run_that_has_ended_stays_as_it_ended():
    words = "run is already terminal"
    for first in ENDS:
        ended = finish_run(session_with("run-1"), "run-1", first)
        for second in ENDS:
            found = refusal(ValueError, words, finish_run, ended, "run-1", second)
            assert found == f"ValueError: … {words} …", f"a run that is {first} must not become {second}"


def test_finishing_a_run_changes_that_run_alone():
    session = finish_run(session_with("run-1", "run-10", "run-100"), "run-100", "failed")
    session = start_run(session, "run-1000", retries="run-100")
    rest = "run-100 failed, run-1000 retries run-100"
    found = outcome(finish_run, session, "run-1", "cancelled")
    assert found == f"run-1 cancelled, run-10 active, {rest} active", "finishing run-1 must end run-1 alone"
    found = outcome(finish_run, session, "run-10", "completed")
    assert found == f"run-1 active, run-10 completed, {rest} active", "finishing run-10 must end run-10 alone"
    found = outcome(finish_run, session, "run-1000", "completed")
    expected = f"run-1 active, run-10 active, {rest} completed"
    assert found == expected, "a retry that finishes must still name what it retried"


def test_a_run_that_does_not_exist_is_not_found():
    session = session_with("run-1", "run-10")
    for missing in ("run-9", "run", "run-100", "1", ""):
        found = refusal(KeyError, missing, finish_run, session, missing, "failed")
        assert found == f"KeyError: … {missing} …", f"the session must not find a run called {missing!r}"


def test_active_are_the_runs_that_have_not_ended_in_the_order_they_started():
    session = session_with("run-10", "run-2", "run-1")
    assert session.active_run_ids == ("run-10", "run-2", "run-1"), "active runs must keep their order"
    for status in ENDS:
        ended = finish_run(session, "run-2", status)
        assert ended.active_run_ids == ("run-10", "run-1"), f"a run that is {status} must not be active"
    for run_id in ("run-10", "run-2", "run-1"):
        session = finish_run(session, run_id, "failed")
    assert session.active_run_ids == (), "when every run has ended, none must be active"
