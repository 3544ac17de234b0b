# A run that is a retry itself is not tried again.
from forge.errors import SessionRefused
from forge.state import RecordStatus, Session
from forge.state.session import find_run


def require_retriable(session: Session, run_id: str) -> None:
    run = find_run(session, run_id)
    tried = {other.retries for other in session.runs}
    if (
        run.status in (RecordStatus.FAILED, RecordStatus.CANCELLED)
        and run_id not in tried
        and run.retries is None
    ):
        return
    raise SessionRefused("run cannot be tried again", f"{run_id} is {run.status}.")
