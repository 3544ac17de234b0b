"""Stage 2, another scene: what must be true of the session that holds the tracks of a song."""

from __future__ import annotations

from forge.course.scenes import music_tracks
from forge.state import Session


def test_the_session_holds_three_tracks_and_two_are_active():
    session = music_tracks()
    assert isinstance(session, Session), "the scene must return the session"
    found = ", ".join(f"{run.run_id} {run.status}" for run in session.runs)
    expected = "track-1 completed, track-2 active, track-3 active"
    assert found == expected, "the session must hold three tracks, and the first must have completed"
