# pytest says what must be raised.
import pytest

from forge.state import Session, finish_run, start_run


def music_tracks() -> Session:
    song = start_run(Session(session_id="music"), "track-1")
    with pytest.raises(ValueError, match="unique"):
        start_run(song, "track-1")
    song = start_run(start_run(song, "track-2"), "track-3")
    song = finish_run(song, "track-1", "completed")
    assert song.active_run_ids == ("track-2", "track-3")
    return song
