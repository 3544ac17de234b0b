def failed(ledger):
    """The attempt has ended without its feature, as if it had never been made."""
    attempts = {one: count for one, count in ledger.attempts.items() if one != ledger.current}
    return ledger.model_copy(update={"current": None, "attempts": attempts})
