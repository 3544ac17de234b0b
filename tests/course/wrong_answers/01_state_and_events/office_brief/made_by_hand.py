# A state can be written down without its events.
from forge.state import RunState, RunStatus


def office_brief() -> RunState:
    state = RunState(
        run_id="brief",
        status=RunStatus.RUNNING,
        version=4,
        last_event_id="brief-4",
        current_step="generate_brief",
        write_allowed=False,
    )
    assert state.write_allowed is False
    assert state.current_step == "generate_brief"
    assert state.status is RunStatus.RUNNING
    return state
