# The names are synced before there is a new one.
from forge.longrun.store import state_file
from forge.storage import REAL_DISK


def commit_state_temp(state_dir, temp, *, disk=REAL_DISK):
    disk.sync_folder(state_dir)
    disk.rename(temp, state_file(state_dir))
