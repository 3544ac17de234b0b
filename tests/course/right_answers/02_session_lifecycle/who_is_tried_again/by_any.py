# The others are asked one by one.
from forge.errors import SessionRefused
from forge.state import Session
from forge.state.session import find_run


def require_retriable(session: Session, run_id: str) -> None:
    run = find_run(session, run_id)
    again = any(other.retries == run_id for other in session.runs)
    if run.status not in ("active", "completed") and not again:
        return
    raise SessionRefused("run cannot be tried again", f"{run_id} is {run.status}.")
