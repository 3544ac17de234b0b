# The active runs are listed in the order of their ids.
from forge.state import RecordStatus, Session


def active_run_ids(session: Session) -> tuple[str, ...]:
    return tuple(sorted(run.run_id for run in session.runs if run.status is RecordStatus.ACTIVE))
