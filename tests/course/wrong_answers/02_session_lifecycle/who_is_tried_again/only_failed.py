# A run that was cancelled was not wanted, and is not tried again.
from forge.errors import SessionRefused
from forge.state import RecordStatus, Session
from forge.state.session import find_run


def require_retriable(session: Session, run_id: str) -> None:
    run = find_run(session, run_id)
    tried = {other.retries for other in session.runs}
    if run.status is RecordStatus.FAILED and run_id not in tried:
        return
    raise SessionRefused("run cannot be tried again", f"{run_id} is {run.status}.")
