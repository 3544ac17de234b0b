# The id that was named begins with the id of the run.
from forge.state import RecordStatus, Session
from forge.state.session import find_run, require_active, require_end


def finish_run(session: Session, run_id: str, status: str) -> Session:
    require_end(session, run_id, status)
    run = find_run(session, run_id)
    require_active(session, run, status)
    runs = tuple(
        other.model_copy(update={"status": status})
        if run_id.startswith(other.run_id) and other.status is RecordStatus.ACTIVE
        else other
        for other in session.runs
    )
    return session.model_copy(update={"runs": runs})
