# As the notebook's solved edition has it.
from forge.errors import EventRefused
from forge.state import EventKind, RunEvent, RunState, RunStatus


def create_run(event: RunEvent) -> RunState:
    """The state after the first event, which must create the run."""
    if event.kind is not EventKind.RUN_CREATED or event.sequence != 1:
        raise EventRefused(
            "the first event must create the run at sequence 1",
            f"found {event.kind} at sequence {event.sequence}.",
        )
    write_allowed = event.payload.get("write_allowed", True)
    if not isinstance(write_allowed, bool):
        raise EventRefused(
            "run_created requires write_allowed to be true or false",
            f"event 1 of {event.run_id} has {write_allowed!r}.",
        )
    return RunState(
        run_id=event.run_id,
        status=RunStatus.CREATED,
        version=1,
        last_event_id=event.event_id,
        write_allowed=write_allowed,
    )
