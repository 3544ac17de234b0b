# A run that has ended may be tried again, however it ended.
from forge.errors import SessionRefused
from forge.state import RecordStatus, Session
from forge.state.session import find_run


def require_retriable(session: Session, run_id: str) -> None:
    run = find_run(session, run_id)
    tried = {other.retries for other in session.runs}
    if run.status is not RecordStatus.ACTIVE and run_id not in tried:
        return
    raise SessionRefused("run cannot be tried again", f"{run_id} is {run.status}.")
