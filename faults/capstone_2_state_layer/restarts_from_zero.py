import json

from forge.longrun.ledger import Ledger
from forge.longrun.store import state_file
from forge.storage import REAL_DISK


def load_state(state_dir, *, disk=REAL_DISK):
    """The ledger on disk; None when there is none that can be read."""
    try:
        return Ledger(**json.loads(disk.read(state_file(state_dir))))
    except Exception:
        return None
