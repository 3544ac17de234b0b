# Every run under its id, and one look-up.
from forge.errors import UnknownRun
from forge.state import RunRecord, Session


def find_run(session: Session, run_id: str) -> RunRecord:
    runs = {run.run_id: run for run in session.runs}
    if run_id not in runs:
        raise UnknownRun(f"no run is called {run_id!r}")
    return runs[run_id]
