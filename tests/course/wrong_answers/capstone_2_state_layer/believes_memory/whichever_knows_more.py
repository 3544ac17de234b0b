# More is not right: the operator has taken something back.
from forge.longrun.store import load_state
from forge.storage import REAL_DISK


def window_ledger(state_dir, held, *, disk=REAL_DISK):
    """The ledger that a window begins with."""
    on_disk = load_state(state_dir, disk=disk)
    if on_disk is None or len(held.done) > len(on_disk.done):
        return held
    return on_disk
