from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.errors import ForgeError, InvalidValue, SessionRefused, UnknownRun
from forge.state.session import ENDED, RecordStatus, RunRecord, Session, find_run, finish_run, start_run

EMPTY = Session(session_id="session-a")


def test_a_status_equals_its_text_and_is_made_from_it() -> None:
    assert [str(status) for status in RecordStatus] == ["active", "completed", "failed", "cancelled"]
    assert RunRecord(run_id="run-1", status="failed").status is RecordStatus.FAILED  # type: ignore[arg-type]
    assert finish_run(start_run(EMPTY, "run-1"), "run-1", RecordStatus.FAILED).runs[0].status == "failed"


def test_a_session_survives_json_and_pickle() -> None:
    session = start_run(finish_run(start_run(EMPTY, "run-1"), "run-1", "failed"), "run-2", retries="run-1")
    assert Session.model_validate_json(session.model_dump_json()) == session
    assert pickle.loads(pickle.dumps(session)) == session


def test_an_unknown_run_is_a_key_error_that_names_those_that_exist() -> None:
    session = start_run(start_run(EMPTY, "run-1"), "run-2")
    with pytest.raises(KeyError) as caught:
        finish_run(session, "run-3", "completed")
    assert isinstance(caught.value, UnknownRun)
    assert str(caught.value) == "no run is called 'run-3': session-a holds run-1, run-2."
    assert caught.value.evidence["run_id"] == "run-3"
    with pytest.raises(UnknownRun, match="session-a holds no runs"):
        find_run(EMPTY, "run-1")


def test_a_refusal_says_what_to_do_instead() -> None:
    session = finish_run(start_run(EMPTY, "run-1"), "run-1", "failed")
    with pytest.raises(SessionRefused, match=r"already holds run-1\. Give the new run an id of its own"):
        start_run(session, "run-1")
    with pytest.raises(
        SessionRefused, match=r"run-1 is failed, and cannot become completed\. To try it again"
    ):
        finish_run(session, "run-1", "completed")
    with pytest.raises(
        SessionRefused, match=r"run-2 has tried run-1 again already\. Try run-2 again instead"
    ):
        start_run(start_run(session, "run-2", retries="run-1"), "run-3", retries="run-1")


@pytest.mark.parametrize("status", ["active", "Completed", "", None, 3, [], {}])
def test_only_a_terminal_status_finishes_a_run(status: object) -> None:
    with pytest.raises(SessionRefused, match="finish status must be terminal: expected completed, failed or"):
        finish_run(start_run(EMPTY, "run-1"), "run-1", status)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Session(session_id=""),
        lambda: Session(session_id=None),  # type: ignore[arg-type]
        lambda: Session(session_id="a", runs=["run-1"]),  # type: ignore[arg-type]
        lambda: Session(session_id="a", owner="b"),  # type: ignore[call-arg]
        lambda: RunRecord(run_id="run-1", status="paused"),  # type: ignore[arg-type]
        lambda: RunRecord(run_id="run-1", retries=1),  # type: ignore[arg-type]
        lambda: start_run(EMPTY, ""),
        lambda: start_run(EMPTY, 7),  # type: ignore[arg-type]
        lambda: Session.model_validate_json('{"session_id": "a", "runs": [{"run_id": "b", "status": "c"}]}'),
    ],
)
def test_a_refused_value_speaks_of_forge_and_not_of_pydantic(make: object) -> None:
    with pytest.raises(InvalidValue) as caught:
        make()  # type: ignore[operator]
    assert "pydantic" not in str(caught.value)
    assert caught.value.evidence["path"].startswith(("Session", "RunRecord"))


@given(st.lists(st.tuples(st.sampled_from(["start", "retry", *ENDED]), st.integers(0, 6)), max_size=30))
def test_whatever_is_asked_a_session_keeps_its_promises(asked: list[tuple[str, int]]) -> None:
    session = EMPTY
    for what, number in asked:
        before, run_id = session, f"run-{number}"
        try:
            if what == "start":
                session = start_run(session, run_id)
            elif what == "retry":
                session = start_run(session, f"run-{number + 10}", retries=run_id)
            else:
                session = finish_run(session, run_id, what)
        except ForgeError:
            assert session is before
        ids = [run.run_id for run in session.runs]
        assert len(set(ids)) == len(ids)
        assert len(session.runs) - len(before.runs) in (0, 1)
        for old, new in zip(before.runs, session.runs, strict=False):
            assert new == old or (old.status == "active" and new.status in ENDED)
        retried = [run.retries for run in session.runs if run.retries]
        assert len(set(retried)) == len(retried)
        assert all(find_run(session, name).status in ("failed", "cancelled") for name in retried)
