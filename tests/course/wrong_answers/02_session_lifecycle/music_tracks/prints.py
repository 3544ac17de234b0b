# Printing shows what is true.
from forge.state import Session, finish_run, start_run


def music_tracks() -> Session:
    song = Session(session_id="song")
    for track in ("track-1", "track-2", "track-3"):
        song = start_run(song, track)
    try:
        start_run(song, "track-1")
    except ValueError as error:
        print(error)
    song = finish_run(song, "track-1", "completed")
    print(song.active_run_ids)
    return song
