"""Stage 2: what a session promises of its runs. Every test and every failure is a sentence about it."""

from __future__ import annotations

from forge.state.session import Session, finish_run, start_run


def session_with(*run_ids):
    session = Session(session_id="session-a")
    for run_id in run_ids:
        session = start_run(session, run_id)
    return session


def told(session):
    """The runs of a session in one line, so that a failure can be read in one look."""
    again = {run.run_id: f" retries {run.retries}" if run.retries else "" for run in session.runs}
    return ", ".join(f"{run.run_id}{again[run.run_id]} {run.status}" for run in session.runs)


def refusal(kind, words, act, *values, **named):
    """`kind: … words …` if that is how `act` refuses the values, else what it did instead."""
    try:
        accepted = act(*values, **named)
    except (ValueError, KeyError) as error:
        raised = "KeyError" if isinstance(error, KeyError) else "ValueError"
        return f"{kind}: … {words} …" if raised == kind and words in str(error) else f"{raised}: {error}"
    return f"accepted: {told(accepted)}"


def test_session_tracks_multiple_runs_without_merging_them():
    empty = session_with()
    both = session_with("run-1", "run-2")
    assert told(both) == "run-1 active, run-2 active", "a session must hold its runs in the order they start"
    assert both.active_run_ids == ("run-1", "run-2"), "a run that has started must be active"

    one_left = finish_run(both, "run-1", "completed")
    assert told(one_left) == "run-1 completed, run-2 active", "finishing a run must not touch another"
    assert one_left.active_run_ids == ("run-2",), "a run that has finished must not be active"
    assert told(both) == "run-1 active, run-2 active", "finishing a run must not change the session given"
    assert told(empty) == "", "starting a run must not change the session given"
    assert one_left.session_id == "session-a", "a session must stay the same session"


def test_duplicate_run_id_is_rejected():
    expected = "ValueError: … unique …"
    session = session_with("run-1", "run-2")
    for run_id in ("run-1", "run-2"):
        found = refusal("ValueError", "unique", start_run, session, run_id)
        assert found == expected, f"a second {run_id} must be rejected"
    for first, second in (("run-1", "run-10"), ("run-10", "run-1")):
        found = told(session_with(first, second))
        assert found == f"{first} active, {second} active", f"{second} must be accepted beside {first}"
    other = start_run(Session(session_id="session-b"), "run-1")
    assert told(other) == "run-1 active", "another session must be free to use the same id"


def test_the_same_id_never_replaces_a_run():
    expected = "ValueError: … unique …"
    for status in ("completed", "failed", "cancelled"):
        session = finish_run(session_with("run-1"), "run-1", status)
        found = refusal("ValueError", "unique", start_run, session, "run-1")
        assert found == expected, f"the id of a {status} run must not be used again"
        assert told(session) == f"run-1 {status}", f"a {status} run must stay as it was"


def test_a_retry_is_a_new_run_that_names_the_old_one():
    failed = finish_run(session_with("run-1"), "run-1", "failed")
    retried = start_run(failed, "run-2", retries="run-1")
    assert told(retried) == "run-1 failed, run-2 retries run-1 active", (
        "a retry must be a run of its own, beside the one that failed"
    )
    found = refusal("ValueError", "unique", start_run, failed, "run-1", retries="run-1")
    assert found == "ValueError: … unique …", "a retry must not inherit the id of the run it retries"
    assert told(start_run(failed, "run-2")) == "run-1 failed, run-2 active", (
        "a run that does not say what it retries must retry nothing"
    )


def test_only_what_did_not_succeed_is_tried_again_and_only_once():
    expected = "ValueError: … cannot be tried again …"
    active = session_with("run-1")
    found = refusal("ValueError", "cannot be tried again", start_run, active, "run-2", retries="run-1")
    assert found == expected, "a run that is still active must not be tried again"
    done = finish_run(active, "run-1", "completed")
    found = refusal("ValueError", "cannot be tried again", start_run, done, "run-2", retries="run-1")
    assert found == expected, "a run that completed must not be tried again"
    found = refusal("KeyError", "run-9", start_run, active, "run-2", retries="run-9")
    assert found == "KeyError: … run-9 …", "a run that does not exist must not be tried again"

    for status in ("failed", "cancelled"):
        ended = finish_run(active, "run-1", status)
        again = finish_run(start_run(ended, "run-2", retries="run-1"), "run-2", "failed")
        found = refusal("ValueError", "cannot be tried again", start_run, again, "run-3", retries="run-1")
        assert found == expected, f"a {status} run must not be tried again twice"
        third = start_run(again, "run-3", retries="run-2")
        expected_runs = f"run-1 {status}, run-2 retries run-1 failed, run-3 retries run-2 active"
        assert told(third) == expected_runs, "an attempt must be able to follow the last attempt"


def test_a_run_finishes_once_and_with_a_status_that_ends_it():
    session = session_with("run-1", "run-2")
    for status in ("active", "paused", "", None):
        found = refusal("ValueError", "finish status must be terminal", finish_run, session, "run-1", status)
        assert found == "ValueError: … finish status must be terminal …", f"{status!r} must not end a run"
    found = refusal("KeyError", "run-9", finish_run, session, "run-9", "failed")
    assert found == "KeyError: … run-9 …", "a run that does not exist must not finish"
    for first in ("completed", "failed", "cancelled"):
        ended = finish_run(session, "run-2", first)
        assert told(ended) == f"run-1 active, run-2 {first}", f"a run must be able to end as {first}"
        for second in ("completed", "failed", "cancelled"):
            found = refusal("ValueError", "run is already terminal", finish_run, ended, "run-2", second)
            assert found == "ValueError: … run is already terminal …", f"{first} must not become {second}"
