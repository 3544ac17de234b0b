# The ledger itself is written, cut first.
from forge.longrun.store import encode, state_file
from forge.storage import REAL_DISK


def write_state_temp(state_dir, ledger, *, disk=REAL_DISK):
    disk.make_folder(state_dir)
    path = state_file(state_dir)
    if disk.size(path) is None:
        disk.create(path, b"")
    disk.truncate(path, 0)
    disk.append(path, encode(ledger))
    disk.sync(path)
    return path
