# Beside the repository.
def state_folder(work):
    """Where the ledger stands."""
    return work / "state"
