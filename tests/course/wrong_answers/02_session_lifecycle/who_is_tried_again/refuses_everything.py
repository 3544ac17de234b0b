# The refusal below is reached whatever is asked above it.
from forge.errors import SessionRefused
from forge.state import RecordStatus, Session
from forge.state.session import find_run


def require_retriable(session: Session, run_id: str) -> None:
    run = find_run(session, run_id)
    tried = {other.retries for other in session.runs}
    allowed = run.status in (RecordStatus.FAILED, RecordStatus.CANCELLED) and run_id not in tried
    print(allowed)
    raise SessionRefused("run cannot be tried again", f"{run_id} is {run.status}.")
