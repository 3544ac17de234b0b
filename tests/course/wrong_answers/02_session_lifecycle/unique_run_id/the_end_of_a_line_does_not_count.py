# A line may end in a line break, and the id is what stands before it.
from forge.errors import SessionRefused
from forge.state import RunRecord, Session
from forge.state.session import require_retriable


def start_run(session: Session, run_id: str, *, retries: str | None = None) -> Session:
    if any(run.run_id.rstrip() == run_id.rstrip() for run in session.runs):
        raise SessionRefused(
            "run_id must be unique inside a session", f"{session.session_id} holds {run_id}."
        )
    if retries is not None:
        require_retriable(session, retries)
    started = RunRecord(run_id=run_id, retries=retries)
    return session.model_copy(update={"runs": (*session.runs, started)})
