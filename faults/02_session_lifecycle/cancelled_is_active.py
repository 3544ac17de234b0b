from forge.state import RecordStatus, Session


def active_run_ids(session: Session) -> tuple[str, ...]:
    """The ids of the runs that have not finished, in the order they were started."""
    finished = (RecordStatus.COMPLETED, RecordStatus.FAILED)
    return tuple(run.run_id for run in session.runs if run.status not in finished)
