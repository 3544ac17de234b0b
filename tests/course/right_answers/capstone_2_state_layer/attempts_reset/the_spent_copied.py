# What was spent is copied with one more window.
def opened_window(ledger):
    """One more window."""
    spent = ledger.spent.model_copy(update={"windows": ledger.spent.windows + 1})
    return ledger.model_copy(update={"spent": spent})
