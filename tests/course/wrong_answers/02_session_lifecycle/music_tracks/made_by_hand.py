# A session can be written down without starting anything.
from forge.state import RunRecord, Session


def music_tracks() -> Session:
    done = RunRecord(run_id="track-1", status="completed")
    others = (RunRecord(run_id="track-2"), RunRecord(run_id="track-3"))
    song = Session(session_id="song", runs=(done, *others))
    assert song.active_run_ids == ("track-2", "track-3")
    return song
