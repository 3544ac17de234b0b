# The text grows, each line with its newline.
from forge.longrun.summary import counted


def summarize_state(ledger, features):
    """What the next window has to know, as text."""
    text = f"Done: {' '.join(ledger.done) or 'none'} ({len(ledger.done)} of {len(features)})\n"
    text += f"Spent: {counted(ledger.spent.windows, 'window')}, {counted(ledger.spent.steps, 'step')}.\n"
    if ledger.current is not None and ledger.current not in ledger.done:
        text += f"Unknown: {ledger.current}\n"
    for feature in ledger.attempts:
        if feature not in ledger.done:
            text += f"Tried: {feature} ({counted(ledger.attempts[feature], 'start')})\n"
    return text
