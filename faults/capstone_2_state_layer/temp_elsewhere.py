import itertools
import os

counter = itertools.count(1)


def temp_path(state_dir):
    """A new name for a temporary file, in the work folder."""
    return state_dir.parent / f".run.json.tmp-{os.getpid()}-{next(counter)}"
