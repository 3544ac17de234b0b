# The run that was meant is the newest that is still at work.
from forge.errors import UnknownRun
from forge.state import RunRecord, Session


def find_run(session: Session, run_id: str) -> RunRecord:
    if run_id in session.active_run_ids:
        wanted = session.active_run_ids[-1]
        return next(run for run in session.runs if run.run_id == wanted)
    for run in session.runs:
        if run.run_id == run_id:
            return run
    raise UnknownRun(f"no run is called {run_id!r}", f"{session.session_id} does not hold it.")
