# A run that the session does not know cannot be in the way.
from forge.errors import SessionRefused
from forge.state import RecordStatus, Session


def require_retriable(session: Session, run_id: str) -> None:
    run = next((other for other in session.runs if other.run_id == run_id), None)
    tried = {other.retries for other in session.runs}
    if run is None or (run.status in (RecordStatus.FAILED, RecordStatus.CANCELLED) and run_id not in tried):
        return
    raise SessionRefused("run cannot be tried again", f"{run_id} is {run.status}.")
