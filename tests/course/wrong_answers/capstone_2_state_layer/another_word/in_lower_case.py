# A model that looks for a word finds no other spelling of it.
from forge.longrun.summary import counted


def summarize_state(ledger, features):
    """What the next window has to know, as text."""
    lines = [
        f"done: {' '.join(ledger.done) or 'none'} ({len(ledger.done)} of {len(features)})",
        f"Spent: {counted(ledger.spent.windows, 'window')}, {counted(ledger.spent.steps, 'step')}.",
    ]
    if ledger.current and ledger.current not in ledger.done:
        lines.append(f"Unknown: {ledger.current}")
    for feature, starts in ledger.attempts.items():
        if feature not in ledger.done:
            lines.append(f"Tried: {feature} ({counted(starts, 'start')})")
    return "\n".join(lines) + "\n"
