# A run that has ended is not there any more.
from forge.errors import UnknownRun
from forge.state import RunRecord, Session


def find_run(session: Session, run_id: str) -> RunRecord:
    for run in session.runs:
        if run.run_id == run_id and run.status == "active":
            return run
    raise UnknownRun(f"no run is called {run_id!r}", f"{session.session_id} does not hold it.")
