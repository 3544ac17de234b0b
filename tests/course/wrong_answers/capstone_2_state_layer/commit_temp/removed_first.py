# The old ledger is removed, and a moment later there is a new one.
from forge.longrun.store import state_file
from forge.storage import REAL_DISK


def commit_state_temp(state_dir, temp, *, disk=REAL_DISK):
    path = state_file(state_dir)
    if disk.size(path) is not None:
        disk.remove(path)
    disk.rename(temp, path)
    disk.sync_folder(state_dir)
