# The runs whose status is active.
from forge.state import RecordStatus, Session


def active_run_ids(session: Session) -> tuple[str, ...]:
    return tuple(run.run_id for run in session.runs if run.status is RecordStatus.ACTIVE)
