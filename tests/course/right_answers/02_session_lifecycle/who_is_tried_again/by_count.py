# A run that nobody has tried again yet, counted.
from forge.errors import SessionRefused
from forge.state import Session
from forge.state.session import find_run


def require_retriable(session: Session, run_id: str) -> None:
    run = find_run(session, run_id)
    count = [other.retries for other in session.runs].count(run_id)
    match run.status:
        case "failed" | "cancelled" if count == 0:
            return
    raise SessionRefused("run cannot be tried again", f"{run_id} is {run.status}.")
