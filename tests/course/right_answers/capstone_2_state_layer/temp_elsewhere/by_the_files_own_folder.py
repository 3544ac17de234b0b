# The ledger's own path has the folder.
import itertools
import os

from forge.longrun.store import state_file

counter = itertools.count(1)


def temp_path(state_dir):
    """A new name for a temporary file, beside the ledger."""
    return state_file(state_dir).with_name(f".run.json.tmp-{os.getpid()}-{next(counter)}")
