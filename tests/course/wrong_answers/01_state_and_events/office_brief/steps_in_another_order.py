# The brief is written before its documents are there.
from forge.state import RunEvent, RunState, RunStatus, reduce_events


def office_brief() -> RunState:
    def event(sequence, kind, **payload):
        return RunEvent(
            event_id=f"brief-{sequence}", run_id="brief", sequence=sequence, kind=kind, payload=payload
        )

    state = reduce_events(
        [
            event(1, "run_created"),
            event(2, "step_started", step="generate_brief"),
            event(3, "write_permission_revoked"),
            event(4, "step_started", step="retrieve_documents"),
        ]
    )
    assert state.write_allowed is False
    assert state.status is RunStatus.RUNNING
    return state
