# One process writes more than one file.
import os


def temp_path(state_dir):
    """A name for a temporary file, beside the ledger."""
    return state_dir / f".run.json.tmp-{os.getpid()}"
