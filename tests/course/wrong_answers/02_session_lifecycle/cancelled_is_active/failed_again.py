# Cancelled takes the place of failed in the list of ends.
from forge.state import RecordStatus, Session


def active_run_ids(session: Session) -> tuple[str, ...]:
    finished = (RecordStatus.COMPLETED, RecordStatus.CANCELLED)
    return tuple(run.run_id for run in session.runs if run.status not in finished)
