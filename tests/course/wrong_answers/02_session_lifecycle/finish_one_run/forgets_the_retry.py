# A new run record with the id and the status is the same run.
from forge.errors import SessionRefused
from forge.state import RecordStatus, RunRecord, Session
from forge.state.session import ENDED, find_run


def finish_run(session: Session, run_id: str, status: str) -> Session:
    if status not in ENDED:
        raise SessionRefused("finish status must be terminal", f"found {status!r}.")
    run = find_run(session, run_id)
    if run.status is not RecordStatus.ACTIVE:
        raise SessionRefused("run is already terminal", f"{run_id} is {run.status}.")
    finished = RunRecord(run_id=run_id, status=status)
    runs = tuple(finished if other is run else other for other in session.runs)
    return session.model_copy(update={"runs": runs})
