# All the ends there are, from the one list of them.
from forge.errors import SessionRefused
from forge.state import RunRecord, Session
from forge.state.session import ENDED


def require_active(session: Session, run: RunRecord, status: str) -> None:
    if run.status in ENDED:
        raise SessionRefused("run is already terminal", f"{run.run_id} is {run.status}.")
