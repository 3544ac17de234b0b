from forge.errors import UnknownRun
from forge.state import RunRecord, Session


def find_run(session: Session, run_id: str) -> RunRecord:
    """The run of that id, which is the one at work."""
    known = [run.run_id for run in session.runs]
    if run_id in known:
        return session.runs[-1]
    raise UnknownRun(
        f"no run is called {run_id!r}",
        f"{session.session_id} holds {', '.join(known) or 'no runs'}.",
    )
