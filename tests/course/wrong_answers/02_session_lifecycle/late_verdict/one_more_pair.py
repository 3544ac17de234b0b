# Only a run that failed and then completes is the problem.
from forge.errors import SessionRefused
from forge.state import RunRecord, Session


def require_active(session: Session, run: RunRecord, status: str) -> None:
    if run.status in ("completed", "cancelled") or (run.status == "failed" and status == "completed"):
        raise SessionRefused("run is already terminal", f"{run.run_id} is {run.status}.")
