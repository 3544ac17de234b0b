# One record ahead may still be on its way.
from forge.errors import SequenceGap, StaleWriter


def require_position(count, expected, path):
    if expected is None:
        return
    if expected < count:
        raise StaleWriter("the log has moved on", f"it holds {count} records.")
    if expected > count + 1:
        raise SequenceGap("the writer is ahead of the log", f"it holds {count} records.")
