# Half of a count is another count.
from forge.longrun.ledger import Spent


def opened_window(ledger):
    """One more window."""
    spent = Spent(windows=ledger.spent.windows + 1, steps=ledger.spent.steps)
    attempts = {one: (n + 1) // 2 for one, n in ledger.attempts.items()}
    return ledger.model_copy(update={"spent": spent, "attempts": attempts})
