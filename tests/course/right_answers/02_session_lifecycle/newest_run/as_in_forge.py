# One run at a time, until its id is the one.
from forge.errors import UnknownRun
from forge.state import RunRecord, Session


def find_run(session: Session, run_id: str) -> RunRecord:
    for run in session.runs:
        if run.run_id == run_id:
            return run
    raise UnknownRun(f"no run is called {run_id!r}", f"{session.session_id} does not hold it.")
