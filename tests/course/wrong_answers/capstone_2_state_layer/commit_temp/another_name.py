# The ledger has one name, and this is another.
from forge.longrun.store import state_file
from forge.storage import REAL_DISK


def commit_state_temp(state_dir, temp, *, disk=REAL_DISK):
    disk.rename(temp, state_dir / "state.json")
    disk.sync_folder(state_dir)
