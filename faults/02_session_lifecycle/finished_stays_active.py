from forge.state import Session


def active_run_ids(session: Session) -> tuple[str, ...]:
    """The ids of the runs, in the order they were started."""
    return tuple(run.run_id for run in session.runs)
