# The session is asked for a run of that id, and must not know one.
from forge.errors import SessionRefused, UnknownRun
from forge.state import RunRecord, Session
from forge.state.session import find_run, require_retriable


def start_run(session: Session, run_id: str, *, retries: str | None = None) -> Session:
    try:
        find_run(session, run_id)
    except UnknownRun:
        pass
    else:
        raise SessionRefused("run_id must be unique inside a session", f"it holds {run_id}.")
    if retries is not None:
        require_retriable(session, retries)
    started = RunRecord(run_id=run_id, retries=retries)
    return session.model_copy(update={"runs": (*session.runs, started)})
