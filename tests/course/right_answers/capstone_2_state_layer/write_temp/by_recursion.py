# A name that is taken begins again.
from forge.longrun.store import encode, temp_path
from forge.storage import REAL_DISK


def write_state_temp(state_dir, ledger, *, disk=REAL_DISK):
    disk.make_folder(state_dir)

    def made():
        temp = temp_path(state_dir)
        try:
            disk.create(temp, encode(ledger))
        except FileExistsError:
            return made()
        return temp

    temp = made()
    disk.sync(temp)
    return temp
