# A writer that is ahead is stale, and one that is behind has a gap.
from forge.errors import SequenceGap, StaleWriter


def require_position(count, expected, path):
    if expected is not None and expected > count:
        raise StaleWriter("the log has moved on", f"it holds {count} records.")
    if expected is not None and expected < count:
        raise SequenceGap("the writer is ahead of the log", f"it holds {count} records.")
