from forge.errors import SessionRefused
from forge.state import RunRecord, Session
from forge.state.session import require_retriable


def start_run(session: Session, run_id: str, *, retries: str | None = None) -> Session:
    """The session with one more run, active; `retries` is the run it tries again."""
    if run_id in session.active_run_ids:
        raise SessionRefused(
            "run_id must be unique inside a session",
            f"{session.session_id} is at work on {run_id}.",
        )
    if retries is not None:
        require_retriable(session, retries)
    others = tuple(run for run in session.runs if run.run_id != run_id)
    started = RunRecord(run_id=run_id, retries=retries)
    return session.model_copy(update={"runs": (*others, started)})
