# Whoever asks for a retry has made sure that it may be tried again.
from forge.errors import SessionRefused
from forge.state import RunRecord, Session


def start_run(session: Session, run_id: str, *, retries: str | None = None) -> Session:
    if any(run.run_id == run_id for run in session.runs):
        raise SessionRefused(
            "run_id must be unique inside a session", f"{session.session_id} holds {run_id}."
        )
    started = RunRecord(run_id=run_id, retries=retries)
    return session.model_copy(update={"runs": (*session.runs, started)})
