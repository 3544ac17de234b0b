# As the notebook's solved edition has it.
from forge.errors import UnknownRun
from forge.state import RunRecord, Session


def find_run(session: Session, run_id: str) -> RunRecord:
    """The run of that id; `UnknownRun` when there is none."""
    for run in session.runs:
        if run.run_id == run_id:
            return run
    known = [run.run_id for run in session.runs]
    raise UnknownRun(
        f"no run is called {run_id!r}",
        f"{session.session_id} holds {', '.join(known) or 'no runs'}.",
    )
