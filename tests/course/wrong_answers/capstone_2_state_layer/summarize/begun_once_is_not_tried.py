# What was begun once is no failure yet, so it is not worth a line.
from forge.longrun.summary import counted


def summarize_state(ledger, features):
    lines = [
        f"Done: {' '.join(ledger.done) or 'none'} ({len(ledger.done)} of {len(features)})",
        f"Spent: {counted(ledger.spent.windows, 'window')}, {counted(ledger.spent.steps, 'step')}.",
    ]
    if ledger.current and ledger.current not in ledger.done:
        lines.append(f"Unknown: {ledger.current}")
    tried = [feature for feature in ledger.attempts if feature not in ledger.done and ledger.attempts[feature] > 1]
    lines += [f"Tried: {feature} ({counted(ledger.attempts[feature], 'start')})" for feature in tried]
    return "\n".join(lines) + "\n"
