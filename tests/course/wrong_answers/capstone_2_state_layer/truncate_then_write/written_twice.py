# Writing twice does not help: the power is cut in the first.
from forge.longrun.store import encode, state_file
from forge.storage import REAL_DISK


def save_state(state_dir, ledger, *, disk=REAL_DISK):
    """Write the ledger into its file, twice."""
    path = state_file(state_dir)
    disk.make_folder(state_dir)
    if disk.size(path) is None:
        disk.create(path, b"")
    for _ in range(2):
        disk.truncate(path, 0)
        disk.append(path, encode(ledger))
        disk.sync(path)
