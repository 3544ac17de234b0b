# Only the file of the message is refused; half a file still is a new night.
import json

from forge.longrun.ledger import Ledger
from forge.longrun.store import damaged, state_file
from forge.storage import REAL_DISK


def load_state(state_dir, *, disk=REAL_DISK):
    """The ledger on disk; None when there is none that can be read."""
    path = state_file(state_dir)
    try:
        data = disk.read(path)
        if not data:
            raise damaged(path, "it is empty.")
        return Ledger(**json.loads(data))
    except (OSError, TypeError, json.JSONDecodeError):
        return None
