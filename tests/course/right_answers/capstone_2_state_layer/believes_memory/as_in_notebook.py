# The disk is asked first.
from forge.longrun.store import load_state
from forge.storage import REAL_DISK


def window_ledger(state_dir, held, *, disk=REAL_DISK):
    """The ledger that a window begins with."""
    on_disk = load_state(state_dir, disk=disk)
    return held if on_disk is None else on_disk
