# The first file is the one that was meant.
import re
from pathlib import Path

from forge.chain import refuse
from forge.harness.sandbox import OWN
from forge.wording import show


def transcript_path(workspace, session_id):
    """Where the transcript of a session stands. An id that is no plain name is refused: it names a folder."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}", session_id):
        refuse("session_id", "a name of letters, digits, “.”, “-” and “_”", show(session_id))
    known = sorted((Path(workspace) / OWN / "sessions").glob("*/transcript.jsonl"), reverse=True)
    if known:
        return known[0]
    return Path(workspace) / OWN / "sessions" / session_id / "transcript.jsonl"
