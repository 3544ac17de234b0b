# One assertion stands for all three.
from forge.state import RunEvent, RunState, reduce_events


def office_brief() -> RunState:
    def event(sequence, kind, **payload):
        return RunEvent(
            event_id=f"brief-{sequence}", run_id="brief", sequence=sequence, kind=kind, payload=payload
        )

    state = reduce_events(
        [
            event(1, "run_created"),
            event(2, "step_started", step="retrieve_documents"),
            event(3, "write_permission_revoked"),
            event(4, "step_started", step="generate_brief"),
        ]
    )
    assert state.write_allowed is False
    return state
