"""Stage 4, another scene: what must be true of the brief that was recovered with a tail that is too short."""

from __future__ import annotations

from forge.course.scenes import decision_brief
from forge.errors import RecoveryMismatch
from forge.state import load_checkpoint


def played(folder):
    """What the scene returns, and what the assertion of its own that failed says."""
    try:
        return decision_brief(folder), "they hold"
    except AssertionError as error:
        return None, f"AssertionError: {str(error) or 'without words'}".partition("\n")[0]


def test_the_missing_end_of_the_brief_is_noticed(tmp_path):
    error, assertions = played(tmp_path)
    assert assertions == "they hold", "your own assertions must hold on forge as it is"
    assert isinstance(error, RecoveryMismatch), "the scene must return the mismatch"
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert len(files) == 1, "one checkpoint must be in the folder, and nothing else"
    state = load_checkpoint(files[0]).state
    assert state.version == 2, "the checkpoint must be from after event 2"
    assert state.current_step == "research", "the checkpoint must stand at the research"
    assert error.evidence.get("sequence") == 4, "the mismatch must name event 4, which the tail lacks"
    steps = {found.field: found.replayed for found in error.evidence.get("differences", ())}
    assert steps.get("current_step") == "report", "a full replay must stand at the report"
