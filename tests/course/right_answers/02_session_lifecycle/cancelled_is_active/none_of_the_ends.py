# The runs whose status is none of the ends that there are.
from forge.state import Session
from forge.state.session import ENDED


def active_run_ids(session: Session) -> tuple[str, ...]:
    return tuple(run.run_id for run in session.runs if run.status not in ENDED)
