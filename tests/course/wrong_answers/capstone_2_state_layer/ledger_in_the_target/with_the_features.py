# Deeper in the repository it is in the repository still.
def state_folder(work):
    """Where the ledger stands."""
    return work / "repo" / "features" / "state"
