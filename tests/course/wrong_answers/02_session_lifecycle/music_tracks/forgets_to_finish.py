# A melody that is done need not be finished.
from forge.state import Session, start_run


def music_tracks() -> Session:
    song = Session(session_id="song")
    for track in ("track-1", "track-2", "track-3"):
        song = start_run(song, track)
    try:
        start_run(song, "track-1")
    except ValueError:
        pass
    else:
        raise AssertionError("a second track-1 was accepted")
    assert song.active_run_ids == ("track-1", "track-2", "track-3")
    return song
