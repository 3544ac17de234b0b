# A window counts itself and nothing else.
from forge.longrun.ledger import Spent


def opened_window(ledger):
    """One more window."""
    spent = Spent(windows=ledger.spent.windows + 1, steps=ledger.spent.steps)
    return ledger.model_copy(update={"spent": spent})
