# A ledger is never false, so or means: when there is none.
from forge.longrun.store import load_state
from forge.storage import REAL_DISK


def window_ledger(state_dir, held, *, disk=REAL_DISK):
    """The ledger that a window begins with."""
    return load_state(state_dir, disk=disk) or held
