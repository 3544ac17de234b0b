# The tail is held against the history from its first event on.
from itertools import zip_longest

from forge.state import apply_event, reduce_events
from forge.state.mismatch import Parting, differences


def parting(start, tail, history):
    sequence = start.version
    recovered, replayed = start, reduce_events(history[:sequence])
    replayed = None
    for ours, theirs in zip_longest(tail, history):
        if replayed is not None and recovered != replayed:
            break
        sequence += 1
        recovered = apply_event(recovered, ours) if ours else recovered
        replayed = apply_event(replayed, theirs) if theirs else replayed
    found = differences(recovered, replayed)
    return Parting(sequence, found) if found else None
