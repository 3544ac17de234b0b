# Each condition refuses in words of its own.
from forge.errors import SessionRefused
from forge.state import RecordStatus, Session
from forge.state.session import find_run


def require_retriable(session: Session, run_id: str) -> None:
    run = find_run(session, run_id)
    if run.status is RecordStatus.ACTIVE or run.status is RecordStatus.COMPLETED:
        raise SessionRefused("run cannot be tried again", f"{run_id} is {run.status}.")
    for other in session.runs:
        if other.retries == run_id:
            raise SessionRefused("run cannot be tried again", f"{other.run_id} tries it.")
