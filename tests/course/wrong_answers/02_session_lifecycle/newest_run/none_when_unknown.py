# A run that does not exist is None.
from forge.state import RunRecord, Session


def find_run(session: Session, run_id: str) -> RunRecord:
    return next((run for run in session.runs if run.run_id == run_id), None)
