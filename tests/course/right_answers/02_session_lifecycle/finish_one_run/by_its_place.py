# The place of the run, and what stands before and after it.
from forge.errors import SessionRefused
from forge.state import RecordStatus, Session
from forge.state.session import ENDED, find_run


def finish_run(session: Session, run_id: str, status: str) -> Session:
    if status not in ENDED:
        raise SessionRefused("finish status must be terminal", f"found {status!r}.")
    run = find_run(session, run_id)
    if run.status is not RecordStatus.ACTIVE:
        raise SessionRefused("run is already terminal", f"{run_id} is {run.status}.")
    place = session.runs.index(run)
    finished = run.model_copy(update={"status": status})
    runs = (*session.runs[:place], finished, *session.runs[place + 1 :])
    return Session(session_id=session.session_id, runs=runs)
