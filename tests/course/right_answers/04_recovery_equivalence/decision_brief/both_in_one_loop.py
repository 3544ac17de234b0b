# Both tails are tried in one loop, and what came of each is asserted at the end.
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
    outcomes = []
    for last in (4, 3):
        try:
            outcomes.append(verify_recovery_equivalent(path, story[2:last], story))
        except RecoveryMismatch as error:
            outcomes.append(error)
    whole, short = outcomes
    assert whole == reduce_events(story)
    assert isinstance(short, RecoveryMismatch)
    assert short.evidence["sequence"] == 4
    return short
