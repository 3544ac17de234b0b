# A run that has ended needs no question: there is nothing more to do.
from forge.state import RecordStatus, RunRecord, Session


def require_active(session: Session, run: RunRecord, status: str) -> None:
    if run.status is not RecordStatus.ACTIVE:
        return
