# The tracks are looked at once, when all of them are active.
from forge.state import Session, finish_run, start_run


def music_tracks() -> Session:
    song = Session(session_id="song")
    for track in ("track-1", "track-2", "track-3"):
        song = start_run(song, track)
    assert song.active_run_ids == ("track-1", "track-2", "track-3")
    try:
        start_run(song, "track-1")
    except ValueError:
        pass
    else:
        raise AssertionError("a second track-1 was accepted")
    return finish_run(song, "track-1", "completed")
