# Event by event, with the exact values in one comparison.
from forge.state import RunEvent, RunState, apply_event


def office_brief() -> RunState:
    story = [
        ("run_created", {}),
        ("step_started", {"step": "retrieve documents"}),
        ("write_permission_revoked", {}),
        ("step_started", {"step": "generate_brief"}),
    ]
    state = None
    for number, (kind, payload) in enumerate(story, start=1):
        event = RunEvent(event_id=str(number), run_id="office", sequence=number, kind=kind, payload=payload)
        state = apply_event(state, event)
    found = (state.write_allowed, state.current_step, state.status)
    if found != (False, "generate_brief", "running"):
        raise ValueError(f"the brief is not where it should be: {found}")
    return state
