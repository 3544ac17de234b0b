# What is tried stands before what is unknown; the model reads both.
from forge.longrun.summary import counted


def summarize_state(ledger, features):
    done = ledger.done
    first = f"Done: {' '.join(done) or 'none'} ({len(done)} of {len(features)})"
    tried = [
        f"Tried: {one} ({counted(count, 'start')})"
        for one, count in ledger.attempts.items()
        if one not in done
    ]
    spent = f"Spent: {counted(ledger.spent.windows, 'window')}, {counted(ledger.spent.steps, 'step')}."
    in_hand = [f"Unknown: {ledger.current}"] if ledger.current not in (None, *done) else []
    return "".join(line + "\n" for line in [first, spent, *tried, *in_hand])
