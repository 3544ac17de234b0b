# A run that does not exist is made.
from forge.state import RunRecord, Session


def find_run(session: Session, run_id: str) -> RunRecord:
    found = [run for run in session.runs if run.run_id == run_id]
    return found[0] if found else RunRecord(run_id=run_id)
