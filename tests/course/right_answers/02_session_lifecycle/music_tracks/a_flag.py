# Whether it was refused, kept in a name.
from forge.state import Session, finish_run, start_run


def music_tracks() -> Session:
    song = Session(session_id="song")
    for track in ("track-1", "track-2", "track-3"):
        song = start_run(song, track)
    refused = False
    try:
        start_run(song, "track-1")
    except ValueError as error:
        refused = "unique" in str(error)
    assert refused, "a second track-1 must be refused"
    song = finish_run(song, "track-1", "completed")
    if song.active_run_ids != ("track-2", "track-3"):
        raise RuntimeError(f"active are {song.active_run_ids}")
    return song
