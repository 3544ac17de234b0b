# The path is put together from its parts, whatever is there.
import re
from pathlib import Path

from forge.chain import refuse
from forge.harness.sandbox import OWN
from forge.wording import show


def transcript_path(workspace, session_id):
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}", session_id) is None:
        refuse("session_id", "a plain name", show(session_id))
    return Path(workspace).joinpath(OWN, "sessions", session_id, "transcript.jsonl")
