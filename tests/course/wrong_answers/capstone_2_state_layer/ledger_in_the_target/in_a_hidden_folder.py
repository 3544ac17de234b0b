# A hidden folder in the repository is in the repository.
def state_folder(work):
    """Where the ledger stands."""
    return work / "repo" / ".state"
