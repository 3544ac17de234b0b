# The bytes are copied into the old file.
from forge.longrun.store import state_file
from forge.storage import REAL_DISK


def commit_state_temp(state_dir, temp, *, disk=REAL_DISK):
    path = state_file(state_dir)
    data = disk.read(temp)
    if disk.size(path) is None:
        disk.create(path, b"")
    disk.truncate(path, 0)
    disk.append(path, data)
    disk.sync(path)
    disk.remove(temp)
    disk.sync_folder(state_dir)
