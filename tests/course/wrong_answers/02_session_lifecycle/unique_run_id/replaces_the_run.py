# The new run takes the place of the old one.
from forge.state import RunRecord, Session
from forge.state.session import require_retriable


def start_run(session: Session, run_id: str, *, retries: str | None = None) -> Session:
    if retries is not None:
        require_retriable(session, retries)
    others = [run for run in session.runs if run.run_id != run_id]
    started = RunRecord(run_id=run_id, retries=retries)
    return session.model_copy(update={"runs": (*others, started)})
