# The name is on the device, and the bytes are not.
from forge.longrun.store import encode, temp_path
from forge.storage import REAL_DISK


def write_state_temp(state_dir, ledger, *, disk=REAL_DISK):
    disk.make_folder(state_dir)
    while True:
        temp = temp_path(state_dir)
        try:
            disk.create(temp, encode(ledger))
        except FileExistsError:
            continue
        disk.sync_folder(state_dir)
        return temp
