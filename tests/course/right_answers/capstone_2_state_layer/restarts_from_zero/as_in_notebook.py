# Missing and damaged are told apart.
from forge.chain import parse
from forge.errors import InvalidValue
from forge.longrun.ledger import Ledger
from forge.longrun.store import damaged, encode, state_file
from forge.storage import REAL_DISK


def load_state(state_dir, *, disk=REAL_DISK):
    """The ledger on disk; None when there is no file."""
    path = state_file(state_dir)
    try:
        data = disk.read(path)
    except FileNotFoundError:
        return None
    try:
        ledger = Ledger(**parse(data))
        whole = encode(ledger) == data
    except (InvalidValue, TypeError) as error:
        raise damaged(path, str(error)) from None
    if not whole:
        raise damaged(path, "other bytes than were saved.")
    return ledger
