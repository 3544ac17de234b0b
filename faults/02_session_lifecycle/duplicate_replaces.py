from forge.state import RunRecord, Session
from forge.state.session import require_retriable


def start_run(session: Session, run_id: str, *, retries: str | None = None) -> Session:
    """The session with the run, active; a run that had the id before is gone."""
    if retries is not None:
        require_retriable(session, retries)
    runs = {run.run_id: run for run in session.runs}
    runs[run_id] = RunRecord(run_id=run_id, retries=retries)
    return session.model_copy(update={"runs": tuple(runs.values())})
