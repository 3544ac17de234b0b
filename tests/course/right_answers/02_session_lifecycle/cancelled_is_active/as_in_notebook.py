# As the notebook's solved edition has it.
from forge.state import RecordStatus, Session


def active_run_ids(session: Session) -> tuple[str, ...]:
    """The ids of the runs that have not finished, in the order they were started."""
    active = [run for run in session.runs if run.status is RecordStatus.ACTIVE]
    return tuple(run.run_id for run in active)
