"""Stage 2: what forge says when a session refuses, word for word, and the same facts as values."""

from __future__ import annotations

import pytest

from forge.errors import SessionRefused, UnknownRun
from forge.state import session as sessions

EMPTY = sessions.Session(session_id="session-a")


def failed_once():
    """A session in which run-1 has failed and run-2 is active."""
    both = sessions.start_run(sessions.start_run(EMPTY, "run-1"), "run-2")
    return sessions.finish_run(both, "run-1", "failed")


def refused(kind, act, *values, **more):
    """The text of the refusal, and its evidence."""
    with pytest.raises(kind) as caught:
        act(*values, **more)
    return str(caught.value), caught.value.evidence


def test_an_id_that_is_taken_is_refused_with_the_way_to_retry():
    text, evidence = refused(SessionRefused, sessions.start_run, failed_once(), "run-2")
    assert text == (
        "run_id must be unique inside a session: session-a already holds run-2. "
        "Give the new run an id of its own; if it tries run-2 again, say so with retries."
    )
    assert evidence == {"session_id": "session-a", "run_id": "run-2"}


def test_a_status_that_is_no_end_is_refused_with_those_that_are():
    text, evidence = refused(SessionRefused, sessions.finish_run, failed_once(), "run-2", "active")
    assert text == (
        "finish status must be terminal: expected completed, failed or cancelled, found 'active'."
    )
    assert evidence == {"session_id": "session-a", "run_id": "run-2"}


def test_a_second_verdict_is_refused_with_the_first_one():
    text, evidence = refused(SessionRefused, sessions.finish_run, failed_once(), "run-1", "completed")
    assert text == (
        "run is already terminal: run-1 is failed, and cannot become completed. "
        "To try it again, start a new run that retries it."
    )
    assert evidence == {"session_id": "session-a", "run_id": "run-1"}


def test_a_run_that_is_not_there_is_refused_with_those_that_are():
    text, evidence = refused(UnknownRun, sessions.finish_run, failed_once(), "run-9", "failed")
    assert text == "no run is called 'run-9': session-a holds run-1, run-2."
    assert evidence == {"session_id": "session-a", "run_id": "run-9", "known": ["run-1", "run-2"]}
    text, evidence = refused(UnknownRun, sessions.find_run, EMPTY, "run-1")
    assert text == "no run is called 'run-1': session-a holds no runs."
    assert evidence == {"session_id": "session-a", "run_id": "run-1", "known": []}


def test_a_retry_is_refused_with_the_reason_why():
    text, evidence = refused(SessionRefused, sessions.start_run, failed_once(), "run-3", retries="run-2")
    assert text == (
        "run cannot be tried again: run-2 is active. Only a run that failed or was cancelled is tried again."
    )
    assert evidence == {"session_id": "session-a", "run_id": "run-2"}
    tried = sessions.start_run(failed_once(), "run-3", retries="run-1")
    text, evidence = refused(SessionRefused, sessions.start_run, tried, "run-4", retries="run-1")
    assert text == (
        "run cannot be tried again: run-3 has tried run-1 again already. Try run-3 again instead."
    )
    assert evidence == {"session_id": "session-a", "run_id": "run-1"}
