# The path is not given, and nobody can commit it.
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
        disk.sync(temp)
        return None
