def state_folder(work):
    """Where the ledger stands: with the code that it is about."""
    return work / "repo" / "state"
