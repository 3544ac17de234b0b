# As the notebook's solved edition has it.
from forge.errors import SessionRefused
from forge.state import RunRecord, Session
from forge.state.session import require_retriable


def start_run(session: Session, run_id: str, *, retries: str | None = None) -> Session:
    """The session with one more run, active; `retries` is the run it tries again."""
    if any(run.run_id == run_id for run in session.runs):
        raise SessionRefused(
            "run_id must be unique inside a session",
            f"{session.session_id} already holds {run_id}.",
            "Give the new run an id of its own.",
        )
    if retries is not None:
        require_retriable(session, retries)
    started = RunRecord(run_id=run_id, retries=retries)
    return session.model_copy(update={"runs": (*session.runs, started)})
