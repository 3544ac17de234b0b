# The caller does not mind under which id the run starts.
from forge.state import RunRecord, Session
from forge.state.session import require_retriable


def start_run(session: Session, run_id: str, *, retries: str | None = None) -> Session:
    taken = [run.run_id for run in session.runs]
    number = 2
    wanted = run_id
    while run_id in taken:
        run_id = f"{wanted}-{number}"
        number += 1
    if retries is not None:
        require_retriable(session, retries)
    started = RunRecord(run_id=run_id, retries=retries)
    return session.model_copy(update={"runs": (*session.runs, started)})
