# One folder up and down again.
from forge.longrun.store import repo_folder


def state_folder(work):
    """Where the ledger stands."""
    return repo_folder(work).parent / "state"
