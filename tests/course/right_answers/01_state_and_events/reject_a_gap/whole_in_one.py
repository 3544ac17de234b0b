# Nothing borrowed from forge but its models; the new state is made field by field.
from forge.state import RunState


def apply_event(state, event):
    if state is None:
        flag = event.payload.get("write_allowed", True)
        if event.kind != "run_created" or event.sequence != 1:
            raise ValueError("the first event must create the run at sequence 1")
        if flag is not True and flag is not False:
            raise ValueError("write_allowed must be true or false")
        return RunState(
            run_id=event.run_id, status="created", version=1, last_event_id=event.event_id, write_allowed=flag
        )
    if event.run_id != state.run_id:
        raise ValueError("an event cannot be applied to a different run")
    if event.sequence - 1 != state.version:
        raise ValueError("event sequence must be contiguous")
    if state.status in ("completed", "failed"):
        raise ValueError("a terminal run cannot accept more events")
    if event.kind == "run_created":
        raise ValueError("a run can only be created once")
    fields = dict(state) | {"version": event.sequence, "last_event_id": event.event_id}
    for kind, name, words in (
        ("step_started", "step", "step_started requires a non-empty step"),
        ("run_failed", "reason", "run_failed requires a reason"),
    ):
        if event.kind == kind and not str(event.payload.get(name) or "").strip():
            raise ValueError(words)
    if event.kind == "step_started":
        fields |= {"status": "running", "current_step": event.payload["step"].strip()}
    if event.kind == "write_permission_revoked":
        fields |= {"write_allowed": False}
    if event.kind == "run_completed":
        fields |= {"status": "completed", "current_step": None}
    if event.kind == "run_failed":
        reason = event.payload["reason"].strip()
        fields |= {"status": "failed", "current_step": None, "failure_reason": reason}
    return RunState(**fields)
