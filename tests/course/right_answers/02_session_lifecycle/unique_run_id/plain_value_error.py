# A plain ValueError, and a session made anew.
from forge.state import RunRecord, Session
from forge.state.session import require_retriable


def start_run(session: Session, run_id: str, *, retries: str | None = None) -> Session:
    if run_id in [run.run_id for run in session.runs]:
        raise ValueError("run_id must be unique inside a session")
    if retries is not None:
        require_retriable(session, retries)
    runs = [*session.runs, RunRecord(run_id=run_id, retries=retries)]
    return Session(session_id=session.session_id, runs=tuple(runs))
