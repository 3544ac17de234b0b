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


def edited_files(folder):
    return [path for path in folder.rglob("*") if path.is_file() and says_that_it_may_write(path)]


def played(folder):
    """What the scene returns, and what the assertion of its own that failed says."""
    try:
        return frontend_checkpoint(folder), "they hold"
    except AssertionError as error:
        return None, f"AssertionError: {str(error) or 'without words'}".partition("\n")[0]


def about(edited):
    """What a learner cannot see in an assertion that failed: how the file was edited."""
    if not edited:
        return ": no file in your folder says that the run may write"
    try:
        load_checkpoint(edited[0])
    except ValueError:
        return ""
    return ": the edited file records the checksum of its new content"


def test_the_delivery_is_saved_and_its_edit_is_refused(tmp_path):
    checkpoint, assertions = played(tmp_path)
    edited = edited_files(tmp_path)
    assert assertions == "they hold", f"your own assertions must hold on forge as it is{about(edited)}"
    assert isinstance(checkpoint, CheckpointEnvelope), "the scene must return the checkpoint that it loaded"
    state = checkpoint.state
    permission = "may write" if state.write_allowed else "may not write"
    found = f"{state.run_id} {state.status} at {state.current_step}, {permission}, version {state.version}"
    expected = "frontend-7 running at fix_tests, may not write, version 4"
    assert found == expected, "the checkpoint must hold the state of the delivery"

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
