# The real function, with what it needs.
from pathlib import Path

from forge.chain import sha256
from forge.errors import InvalidValue
from forge.harness.presentation import Deliveries, Delivery
from forge.harness.sandbox import read_inside, relative


def present_files(workspace, paths, session_id, database, *, announce=lambda _: None):
    """Hand over files of the workspace: all of them or none. `announce` is given each that is new.

    A file that is missing or outside the workspace refuses the whole: half a delivery is worse than none.
    """
    found = []
    for path in dict.fromkeys(relative(workspace, path) for path in paths):
        if not (Path(workspace) / path).is_file():
            raise InvalidValue("a file cannot be delivered", f"{path} is no file.", "Write it first.")
        data = read_inside(workspace, path)
        found.append((path, len(data), sha256(data)))
    keep = "INSERT OR IGNORE INTO presented_files VALUES (?, ?, ?)"
    with database.database.writing() as connection:
        made = Deliveries(
            Delivery(path, size, digest, connection.execute(keep, (session_id, digest, path)).rowcount == 1)
            for path, size, digest in found
        )
    for one in made:
        if one.new:
            announce(one)
    return made
