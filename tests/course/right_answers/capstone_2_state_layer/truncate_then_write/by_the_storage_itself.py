# The storage replaces a whole file in the same way.
from forge.longrun.store import encode, state_file
from forge.storage import REAL_DISK, atomic_replace


def save_state(state_dir, ledger, *, disk=REAL_DISK):
    """Replace the ledger on disk."""
    atomic_replace(state_file(state_dir), encode(ledger), disk=disk)
