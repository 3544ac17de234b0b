# A rename does not wait for the bytes.
from forge.longrun.store import encode, state_file, temp_path
from forge.storage import REAL_DISK


def save_state(state_dir, ledger, *, disk=REAL_DISK):
    """Replace the ledger on disk."""
    disk.make_folder(state_dir)
    temp = temp_path(state_dir)
    disk.create(temp, encode(ledger))
    disk.rename(temp, state_file(state_dir))
    disk.sync_folder(state_dir)
