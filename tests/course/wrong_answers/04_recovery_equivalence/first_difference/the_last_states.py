# Only the last two states are compared, and the last event is named.
from forge.state import reduce_events
from forge.state.mismatch import Parting, differences


def parting(start, tail, history):
    recovered = reduce_events(tail, initial=start)
    found = differences(recovered, reduce_events(history))
    return Parting(max(recovered.version, len(history)), found) if found else None
