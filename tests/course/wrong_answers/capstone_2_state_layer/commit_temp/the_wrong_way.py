# The ledger gets the name of the temporary file.
from forge.longrun.store import state_file
from forge.storage import REAL_DISK


def commit_state_temp(state_dir, temp, *, disk=REAL_DISK):
    disk.rename(state_file(state_dir), temp)
    disk.sync_folder(state_dir)
