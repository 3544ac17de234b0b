# The function answers the question, and the caller decides.
from forge.state import RecordStatus, Session
from forge.state.session import find_run


def require_retriable(session: Session, run_id: str) -> bool:
    run = find_run(session, run_id)
    tried = {other.retries for other in session.runs}
    return run.status in (RecordStatus.FAILED, RecordStatus.CANCELLED) and run_id not in tried
