# The active runs are a set of ids.
from forge.state import RecordStatus, Session


def active_run_ids(session: Session) -> tuple[str, ...]:
    return {run.run_id for run in session.runs if run.status is RecordStatus.ACTIVE}
