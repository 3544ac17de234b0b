# The temporary file stays beside the ledger.
from forge.longrun.store import state_file
from forge.storage import REAL_DISK


def commit_state_temp(state_dir, temp, *, disk=REAL_DISK):
    data = disk.read(temp)
    disk.rename(temp, state_file(state_dir))
    disk.create(temp, data)
    disk.sync_folder(state_dir)
