from forge.longrun.summary import counted


def summarize_state(ledger, features):
    """What the next window has to know, without what is not certain."""
    lines = [
        f"Done: {' '.join(ledger.done) or 'none'} ({len(ledger.done)} of {len(features)})",
        f"Spent: {counted(ledger.spent.windows, 'window')}, {counted(ledger.spent.steps, 'step')}.",
    ]
    tried = [feature for feature in ledger.attempts if feature not in ledger.done]
    lines += [f"Tried: {feature} ({counted(ledger.attempts[feature], 'start')})" for feature in tried]
    return "\n".join(lines) + "\n"
