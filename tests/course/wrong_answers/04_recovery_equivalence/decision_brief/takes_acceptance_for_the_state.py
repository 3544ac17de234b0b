# The whole tail is accepted, so the state that comes back need not be looked at.
from forge.state import RecoveryMismatch, RunEvent, reduce_events, save_checkpoint, verify_recovery_equivalent


def decision_brief(folder):
    kinds = [
        ("run_created", {}),
        ("step_started", {"step": "research"}),
        ("write_permission_revoked", {}),
        ("step_started", {"step": "report"}),
    ]
    story = [
        RunEvent(event_id=f"b{n}", run_id="brief", sequence=n, kind=kind, payload=payload)
        for n, (kind, payload) in enumerate(kinds, start=1)
    ]
    path = folder / "brief.json"
    save_checkpoint(path, reduce_events(story[:2]))
    verify_recovery_equivalent(path, story[2:], story)
    try:
        verify_recovery_equivalent(path, story[2:3], story)
    except RecoveryMismatch as error:
        assert error.evidence["sequence"] == 4
        return error
    raise AssertionError("a tail without event 4 must be refused")
