# Only the newest run that begins with the id is meant.
from forge.state import Session
from forge.state.session import find_run, require_active, require_end


def finish_run(session: Session, run_id: str, status: str) -> Session:
    require_end(session, run_id, status)
    run = find_run(session, run_id)
    require_active(session, run, status)
    meant = [other for other in session.runs if other.run_id.startswith(run_id)][-1]
    finished = meant.model_copy(update={"status": status})
    runs = tuple(finished if other is meant else other for other in session.runs)
    return session.model_copy(update={"runs": runs})
