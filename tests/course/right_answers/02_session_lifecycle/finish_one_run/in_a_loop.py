# A list that grows, one run at a time.
from forge.errors import SessionRefused
from forge.state import RecordStatus, RunRecord, Session
from forge.state.session import ENDED, find_run


def finish_run(session: Session, run_id: str, status: str) -> Session:
    if status not in ENDED:
        raise SessionRefused("finish status must be terminal", f"found {status!r}.")
    run = find_run(session, run_id)
    if run.status is not RecordStatus.ACTIVE:
        raise SessionRefused("run is already terminal", f"{run_id} is {run.status}.")
    runs = []
    for other in session.runs:
        if other.run_id == run_id:
            other = RunRecord(run_id=other.run_id, status=status, retries=other.retries)
        runs.append(other)
    return session.model_copy(update={"runs": tuple(runs)})
