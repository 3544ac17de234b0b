# Ids of the same length that begin alike are the same.
from forge.state import Session
from forge.state.session import find_run, require_active, require_end


def finish_run(session: Session, run_id: str, status: str) -> Session:
    require_end(session, run_id, status)
    run = find_run(session, run_id)
    require_active(session, run, status)
    runs = tuple(
        other.model_copy(update={"status": status})
        if other.run_id.startswith(run_id[:-1]) and len(other.run_id) == len(run_id)
        else other
        for other in session.runs
    )
    return session.model_copy(update={"runs": runs})
