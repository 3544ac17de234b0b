# The last run of the session shows whether a retry was started.
from forge.errors import SessionRefused
from forge.state import RecordStatus, Session
from forge.state.session import find_run


def require_retriable(session: Session, run_id: str) -> None:
    run = find_run(session, run_id)
    if run.status in (RecordStatus.FAILED, RecordStatus.CANCELLED) and session.runs[-1].retries is None:
        return
    raise SessionRefused("run cannot be tried again", f"{run_id} is {run.status}.")
