# An empty file first, then its bytes, then the sync.
from forge.longrun.store import encode, temp_path
from forge.storage import REAL_DISK


def write_state_temp(state_dir, ledger, *, disk=REAL_DISK):
    disk.make_folder(state_dir)
    while True:
        temp = temp_path(state_dir)
        try:
            disk.create(temp, b"")
        except FileExistsError:
            continue
        disk.append(temp, encode(ledger))
        disk.sync(temp)
        return temp
