# A file that cannot be read is as good as none, for the ledger is in memory.
from forge.longrun.store import load_state
from forge.storage import REAL_DISK


def window_ledger(state_dir, held, *, disk=REAL_DISK):
    """The ledger that a window begins with."""
    try:
        on_disk = load_state(state_dir, disk=disk)
    except ValueError:
        on_disk = None
    return held if on_disk is None else on_disk
