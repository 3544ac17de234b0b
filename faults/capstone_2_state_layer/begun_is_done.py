from forge.longrun.ledger import Spent


def begun(ledger, feature):
    """The feature is being worked on, and is counted as done from now on."""
    attempts = {**ledger.attempts, feature: ledger.attempts.get(feature, 0) + 1}
    spent = Spent(windows=ledger.spent.windows, steps=ledger.spent.steps + 1)
    done = ledger.done if feature in ledger.done else (*ledger.done, feature)
    update = {"done": done, "current": feature, "attempts": attempts, "spent": spent}
    return ledger.model_copy(update=update)
