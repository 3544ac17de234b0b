"""Stage 1, another scene: what must be true of the run that wrote a brief."""

from __future__ import annotations

from forge.course.scenes import office_brief
from forge.state import RunState


def test_the_brief_is_where_its_four_events_left_it():
    state = office_brief()
    assert isinstance(state, RunState), "the scene must return the state of the run"
    assert state.write_allowed is False, "the permission to write must be gone"
    assert state.current_step == "generate_brief", "the run must be at its last step"
    assert state.status == "running", "the run must be at work"
    assert state.version == 4, "the state must come from four events"
