# The folder that is given is the folder of the ledger.
import itertools
import os

counter = itertools.count(1)


def temp_path(state_dir):
    """A new name for a temporary file, beside the ledger."""
    return state_dir / f".run.json.tmp-{os.getpid()}-{next(counter)}"
