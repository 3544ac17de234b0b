# Whoever finishes a run knows what it is doing.
from forge.state import Session


def finish_run(session: Session, run_id: str, status: str) -> Session:
    runs = tuple(
        run.model_copy(update={"status": status}) if run.run_id == run_id else run for run in session.runs
    )
    return session.model_copy(update={"runs": runs})
