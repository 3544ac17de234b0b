from forge.errors import SessionRefused
from forge.state import RecordStatus, Session
from forge.state.session import ENDED, find_run


def finish_run(session: Session, run_id: str, status: str) -> Session:
    """The session in which the run has finished: completed, failed or cancelled."""
    if status not in ENDED:
        raise SessionRefused(
            "finish status must be terminal",
            f"expected {', '.join(ENDED[:-1])} or {ENDED[-1]}, found {status!r}.",
        )
    run = find_run(session, run_id)
    if run.status is not RecordStatus.ACTIVE:
        raise SessionRefused(
            "run is already terminal",
            f"{run_id} is {run.status}, and cannot become {status}.",
        )
    runs = tuple(
        other.model_copy(update={"status": status})
        if other.run_id.startswith(run_id) and other.status is RecordStatus.ACTIVE
        else other
        for other in session.runs
    )
    return session.model_copy(update={"runs": runs})
