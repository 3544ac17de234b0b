# Fewer and more are two errors.
from forge.errors import SequenceGap, StaleWriter


def require_position(count, expected, path):
    if expected is None or expected == count:
        return
    error = StaleWriter if expected < count else SequenceGap
    raise error("the writer is not where the log ends", f"it holds {count} records, not {expected}.")
