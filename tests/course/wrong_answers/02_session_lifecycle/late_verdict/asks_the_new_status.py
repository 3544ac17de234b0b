# What must not be an end is the status that it is to get.
from forge.errors import SessionRefused
from forge.state import RunRecord, Session
from forge.state.session import ENDED


def require_active(session: Session, run: RunRecord, status: str) -> None:
    if status in ENDED and status != "completed":
        raise SessionRefused("run is already terminal", f"{run.run_id} is {run.status}.")
