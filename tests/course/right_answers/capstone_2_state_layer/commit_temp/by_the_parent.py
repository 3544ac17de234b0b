# The folder is that of the ledger.
from forge.longrun.store import state_file
from forge.storage import REAL_DISK


def commit_state_temp(state_dir, temp, *, disk=REAL_DISK):
    disk.rename(temp, state_file(state_dir))
    disk.sync_folder(state_file(state_dir).parent)
