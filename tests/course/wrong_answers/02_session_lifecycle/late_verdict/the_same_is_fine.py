# Saying the same twice does no harm.
from forge.errors import SessionRefused
from forge.state import RecordStatus, RunRecord, Session


def require_active(session: Session, run: RunRecord, status: str) -> None:
    if run.status is not RecordStatus.ACTIVE and run.status != status:
        raise SessionRefused("run is already terminal", f"{run.run_id} is {run.status}.")
