# The last event after which the two agree is named, not the first after which they differ.
from itertools import zip_longest

from forge.state import apply_event, reduce_events
from forge.state.mismatch import Parting, differences


def parting(start, tail, history):
    sequence = start.version
    recovered, replayed = start, reduce_events(history[:sequence])
    for ours, theirs in zip_longest(tail, history[sequence:]):
        after = apply_event(recovered, ours) if ours else recovered
        other = apply_event(replayed, theirs) if theirs else replayed
        if recovered != replayed:
            break
        recovered, replayed = after, other
        if after != other:
            break
        sequence += 1
    found = differences(recovered, replayed)
    return Parting(sequence, found) if found else None
