# Any other folder may be another file system as well.
import itertools
import os

counter = itertools.count(1)


def temp_path(state_dir):
    """A new name for a temporary file, beside the ledger."""
    return state_dir.parent.parent / f".run.json.tmp-{os.getpid()}-{next(counter)}"
