# Bytes that were never saved are accepted.
from forge.chain import parse
from forge.errors import InvalidValue
from forge.longrun.ledger import Ledger
from forge.longrun.store import damaged, encode, state_file
from forge.storage import REAL_DISK


def load_state(state_dir, *, disk=REAL_DISK):
    path = state_file(state_dir)
    try:
        data = disk.read(path)
    except FileNotFoundError:
        return None
    try:
        ledger = Ledger.model_validate(parse(data))
    except InvalidValue as error:
        raise damaged(path, str(error)) from None
    return ledger
