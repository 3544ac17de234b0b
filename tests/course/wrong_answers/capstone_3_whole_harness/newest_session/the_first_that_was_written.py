# The one that was written first is the one that was opened first.
import re
from pathlib import Path

from forge.chain import refuse
from forge.harness.sandbox import OWN
from forge.wording import show


def transcript_path(workspace, session_id):
    """Where the transcript of a session stands. An id that is no plain name is refused: it names a folder."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}", session_id):
        refuse("session_id", "a name of letters, digits, “.”, “-” and “_”", show(session_id))
    folder = Path(workspace) / OWN / "sessions"
    path = folder / session_id / "transcript.jsonl"
    if not path.exists():
        return path
    return min(folder.glob("*/transcript.jsonl"), key=lambda each: (each.stat().st_mtime_ns, each))
