# When a name is taken, the next one is free.
from forge.longrun.store import encode, temp_path
from forge.storage import REAL_DISK


def write_state_temp(state_dir, ledger, *, disk=REAL_DISK):
    disk.make_folder(state_dir)
    temp = temp_path(state_dir)
    try:
        disk.create(temp, encode(ledger))
    except FileExistsError:
        temp = temp_path(state_dir)
        disk.create(temp, encode(ledger))
    disk.sync(temp)
    return temp
