from forge.errors import SessionRefused
from forge.state import RecordStatus, Session
from forge.state.session import find_run


def require_retriable(session: Session, run_id: str) -> None:
    """Refuse a run that may not be tried again."""
    run = find_run(session, run_id)
    if run.status in (RecordStatus.FAILED, RecordStatus.CANCELLED):
        return
    raise SessionRefused(
        "run cannot be tried again",
        f"{run_id} is {run.status}.",
        "Only a run that failed or was cancelled is tried again.",
    )
