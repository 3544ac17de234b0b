# That a ValueError is raised is enough; what it says is never looked at.
from pathlib import Path

from forge.state import CheckpointEnvelope, RunEvent, load_checkpoint, reduce_events, save_checkpoint


def frontend_checkpoint(folder: Path) -> CheckpointEnvelope:
    story = [
        ("run_created", {}),
        ("step_started", {"step": "add_search"}),
        ("step_started", {"step": "fix_tests"}),
        ("write_permission_revoked", {}),
    ]
    state = reduce_events(
        RunEvent(event_id=f"d{n}", run_id="frontend-7", sequence=n, kind=kind, payload=payload)
        for n, (kind, payload) in enumerate(story, start=1)
    )
    path = folder / "frontend-7.json"
    save_checkpoint(path, state)
    loaded = load_checkpoint(path)
    assert loaded.state == state
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"write_allowed": false', '"write_allowed": true'), encoding="utf-8")
    try:
        load_checkpoint(path)
    except ValueError:
        pass
    else:
        raise AssertionError("the edited checkpoint was loaded")
    return loaded
