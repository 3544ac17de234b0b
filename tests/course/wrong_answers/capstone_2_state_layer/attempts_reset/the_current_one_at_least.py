# Keeping one count is not keeping the counts.
from forge.longrun.ledger import Spent


def opened_window(ledger):
    """One more window."""
    spent = Spent(windows=ledger.spent.windows + 1, steps=ledger.spent.steps)
    attempts = {one: n for one, n in ledger.attempts.items() if one in (*ledger.done, ledger.current)}
    return ledger.model_copy(update={"spent": spent, "attempts": attempts})
