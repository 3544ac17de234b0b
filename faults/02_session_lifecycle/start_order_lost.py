from forge.state import RecordStatus, Session


def active_run_ids(session: Session) -> tuple[str, ...]:
    """The ids of the runs that have not finished, the newest first."""
    active = [run.run_id for run in session.runs if run.status is RecordStatus.ACTIVE]
    return tuple(reversed(active))
