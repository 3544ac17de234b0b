from forge.longrun.ledger import Spent


def opened_window(ledger):
    """One more window, which begins to count afresh what is not done yet."""
    spent = Spent(windows=ledger.spent.windows + 1, steps=ledger.spent.steps)
    kept = {one: count for one, count in ledger.attempts.items() if one in ledger.done}
    if ledger.current:
        kept[ledger.current] = 1
    return ledger.model_copy(update={"spent": spent, "attempts": kept})
