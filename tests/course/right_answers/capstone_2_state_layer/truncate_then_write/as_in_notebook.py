# Written beside it, and put in its place.
from contextlib import suppress

from forge.longrun.store import commit_state_temp, remove_temps, write_state_temp
from forge.storage import REAL_DISK


def save_state(state_dir, ledger, *, disk=REAL_DISK):
    """Replace the ledger on disk."""
    try:
        commit_state_temp(state_dir, write_state_temp(state_dir, ledger, disk=disk), disk=disk)
    except OSError:
        with suppress(OSError):
            remove_temps(state_dir, disk=disk)
        raise
