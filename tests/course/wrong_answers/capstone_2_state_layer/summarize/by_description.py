# A description may be reworded tomorrow; the id stays.
from forge.longrun.summary import counted


def summarize_state(ledger, features):
    """What the next window has to know, as text."""
    lines = [
        f"Done: {', '.join(one.text for one in features if one.id in ledger.done) or 'none'} ({len(ledger.done)} of {len(features)})",
        f"Spent: {counted(ledger.spent.windows, 'window')}, {counted(ledger.spent.steps, 'step')}.",
    ]
    if ledger.current and ledger.current not in ledger.done:
        lines.append(f"Unknown: {ledger.current}")
    for feature, starts in ledger.attempts.items():
        if feature not in ledger.done:
            lines.append(f"Tried: {feature} ({counted(starts, 'start')})")
    return "\n".join(lines) + "\n"
