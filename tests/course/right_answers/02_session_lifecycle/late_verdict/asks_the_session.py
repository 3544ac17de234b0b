# Active are the runs that the session lists as such.
from forge.errors import SessionRefused
from forge.state import RunRecord, Session


def require_active(session: Session, run: RunRecord, status: str) -> None:
    if run.run_id in session.active_run_ids:
        return
    raise SessionRefused("run is already terminal", f"{run.run_id} is {run.status}.")
