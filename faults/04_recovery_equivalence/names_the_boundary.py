from forge.state import reduce_events
from forge.state.mismatch import Parting, differences


def parting(start, tail, history):
    """The first event after the checkpoint, and how the last two states differ."""
    recovered = reduce_events(tail, initial=start)
    found = differences(recovered, reduce_events(history))
    return Parting(start.version + 1, found) if found else None
