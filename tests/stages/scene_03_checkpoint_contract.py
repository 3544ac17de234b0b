"""Stage 3, another scene: what must be true of the delivery that was saved, and of its edited file."""

from __future__ import annotations

import json

from forge.course.scenes import frontend_checkpoint
from forge.state import CheckpointEnvelope, load_checkpoint


def says_that_it_may_write(path):
    try:
        return json.loads(path.read_bytes())["state"]["write_allowed"] is True
    except (ValueError, LookupError, TypeError):
        return False


def test_the_delivery_is_saved_and_its_edit_is_refused(tmp_path):
    checkpoint = frontend_checkpoint(tmp_path)
    assert isinstance(checkpoint, CheckpointEnvelope), "the scene must return the checkpoint that it loaded"
    state = checkpoint.state
    permission = "may write" if state.write_allowed else "may not write"
    found = f"{state.run_id} {state.status} at {state.current_step}, {permission}, version {state.version}"
    expected = "frontend-7 running at fix_tests, may not write, version 4"
    assert found == expected, "the checkpoint must hold the state of the delivery"

    edited = [path for path in tmp_path.rglob("*") if path.is_file() and says_that_it_may_write(path)]
    assert len(edited) == 1, "the folder must hold one file that was edited to say that the run may write"
    fields = json.loads(edited[0].read_bytes())
    expected = {**state.model_dump(mode="json"), "write_allowed": True}
    assert fields["state"] == expected, "the edit must change the permission and nothing else"
    assert fields["checksum_sha256"] == checkpoint.checksum_sha256, "the edit must leave the checksum alone"
    try:
        load_checkpoint(edited[0])
    except ValueError as error:
        found = error.args[0]
    else:
        found = "loaded"
    assert found == "checkpoint checksum mismatch", "the edited file must be refused for its checksum"
