# The runs that name this one, one by one.
from forge.errors import SessionRefused
from forge.state import RecordStatus, Session
from forge.state.session import find_run


def require_retriable(session: Session, run_id: str) -> None:
    run = find_run(session, run_id)
    later = [other.run_id for other in session.runs if other.retries == run_id]
    if run.status in (RecordStatus.FAILED, RecordStatus.CANCELLED) and not later:
        return
    raise SessionRefused("run cannot be tried again", f"{run_id} is {run.status}.")
