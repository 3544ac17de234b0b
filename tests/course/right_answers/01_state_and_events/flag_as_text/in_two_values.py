# Exactly the two values are accepted.
from forge.errors import EventRefused
from forge.state import EventKind, RunEvent, RunState, RunStatus


def create_run(event: RunEvent) -> RunState:
    """The state after the first event, which must create the run."""
    if event.kind is not EventKind.RUN_CREATED or event.sequence != 1:
        raise EventRefused(
            "the first event must create the run at sequence 1",
            f"found {event.kind} at sequence {event.sequence}.",
        )
    flag = event.payload.get("write_allowed", True)
    if flag is not True and flag is not False:
        raise ValueError(f"write_allowed={flag!r}")
    return RunState(
        run_id=event.run_id,
        status=RunStatus.CREATED,
        version=1,
        last_event_id=event.event_id,
        write_allowed=flag,
    )
