# The size is None for a missing file.
from forge.chain import parse
from forge.errors import InvalidValue
from forge.longrun.ledger import Ledger
from forge.longrun.store import damaged, encode, state_file
from forge.storage import REAL_DISK


def load_state(state_dir, *, disk=REAL_DISK):
    """The ledger on disk; None when there is no file."""
    path = state_file(state_dir)
    if disk.size(path) is None:
        return None
    data = disk.read(path)
    try:
        ledger = Ledger.model_validate(parse(data))
        if encode(ledger) == data:
            return ledger
    except InvalidValue as error:
        raise damaged(path, str(error)) from None
    raise damaged(path, "other bytes than were saved.")
