# A run that never had the permission is as good as one that lost it.
from pathlib import Path

from forge.state import CheckpointEnvelope, RunState, load_checkpoint, save_checkpoint


def frontend_checkpoint(folder: Path) -> CheckpointEnvelope:
    state = RunState(
        run_id="frontend-7",
        status="running",
        version=1,
        last_event_id="d1",
        current_step="fix_tests",
        write_allowed=False,
    )
    path = folder / "frontend-7.json"
    save_checkpoint(path, state)
    loaded = load_checkpoint(path)
    assert loaded.state == state
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"write_allowed": false', '"write_allowed": true'), encoding="utf-8")
    try:
        load_checkpoint(path)
    except ValueError as error:
        assert "checksum mismatch" in str(error)
    else:
        raise AssertionError("the edited checkpoint was loaded")
    return loaded
