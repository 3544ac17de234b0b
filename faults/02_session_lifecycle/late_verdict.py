from forge.errors import SessionRefused
from forge.state import RecordStatus, RunRecord, Session


def require_active(session: Session, run: RunRecord, status: str) -> None:
    """Refuse to finish a run that has finished before."""
    if run.status in (RecordStatus.COMPLETED, RecordStatus.CANCELLED):
        raise SessionRefused(
            "run is already terminal",
            f"{run.run_id} is {run.status}, and cannot become {status}.",
        )
